#pragma once

#include "core/model/model_config.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Where the numbers of one of our parameters lie in a file of transformers.
struct StoredWeight
{
    std::string parameter;          ///< "h.0.attn.k.weight"
    std::vector<std::string> names; ///< without the prefix of the base model; the first that is
                                    ///< there is taken. Empty: the model has none, zeros
    bool optional = false;          ///< zeros if none of them is there
    bool transposed = false;        ///< stored as [in, out] (Conv1D)
    /// One of `parts` matrices that are stored as one: part by part, or, with several groups,
    /// [part 0 | part 1 | ...] of head after head.
    int part = 0;
    int parts = 1;
    std::int64_t groups = 1;
};

/// One for every parameter of the layout, for a model_type that huggingFaceConfig knows.
std::vector<StoredWeight> storedWeights(const std::string& modelType, const ModelConfig& config);

/// "model." of model.layers.0...: a file saved without a head lacks it.
std::string_view basePrefix(const std::string& modelType);

/// True for tensors that hold nothing of their own: masks and tables that older versions saved,
/// copies of tied weights, and heads that are not used here (BERT's pooler without next_sentence).
bool isRedundant(const std::string& modelType, const ModelConfig& config, std::string_view name);

} // namespace headscope
