#pragma once

#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace headscope {

/// One low-rank update as a file stores it, for a module of the base model's own names.
struct StoredLoraPair
{
    std::string module; ///< "model.layers.0.self_attn.q_proj" or "blk.0.attn_q".
    Tensor a;           ///< [r, inputs].
    Tensor b;           ///< [outputs, r].
    double scale = 1.0; ///< alpha / r, or what the file has in its place.
    /// True for an embedding, whose inputs are the tokens: the matrix [tokens, width] is updated by
    /// the transposed product.
    bool isEmbedding = false;
};

/// An adapter in the names of its file.
struct StoredAdapter
{
    std::string path;         ///< In errors.
    std::string architecture; ///< general.architecture of a GGUF file; empty for PEFT.
    std::vector<StoredLoraPair> pairs;
};

/// What to do with an adapter that is opened as a model.
inline constexpr const char* kAdapterAdvice =
    "Open its base model, and apply the adapter to B on the page Compare, or with --lora";

/// Throws FormatError unless the pairs fit each other (b has as many columns as a has rows, at least
/// one) and all their numbers are finite.
void checkPairs(const StoredAdapter& adapter);

Tensor transposed(const Tensor& matrix);

} // namespace headscope
