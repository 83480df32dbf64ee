#pragma once

#include "core/model/config/model_config.h"

namespace headscope {

/// How many parameters a model has, part by part, biases included. Sums of all blocks.
struct SizeReport
{
    std::int64_t embeddings = 0;  ///< tokens, positions, segments, relative biases
    std::int64_t attention = 0;   ///< self-attention and cross-attention
    std::int64_t feedForward = 0; ///< experts and routers too
    std::int64_t norms = 0;
    std::int64_t heads = 0; ///< of language (nothing for a tied table) and of sentence pairs

    std::int64_t block = 0; ///< one block, norms included (of the encoder where there are two)
    std::int64_t decoderBlock = 0; ///< one block of an encoder-decoder's second stack, otherwise 0
    std::int64_t active = 0; ///< of the total, those that one token uses: topK experts a block

    std::int64_t total() const { return embeddings + attention + feedForward + norms + heads; }

    friend bool operator==(const SizeReport&, const SizeReport&) = default;
};

/// By arithmetic alone, so that models which no memory would hold can be counted. Validates.
SizeReport sizeReport(const ModelConfig& config);

/// The same for a configuration whose extents are in their ranges: ModelConfig::validate asks.
SizeReport countParameters(const ModelConfig& config);

/// Bytes of the keys and values that a decoder keeps for `tokens` tokens: 2 L n h_kv d_k bytes;
/// with latent attention one latent and one rotary key a token, (r + d_rope) L n bytes. 0 for an
/// encoder, which keeps nothing. Throws Error for negative or absurd numbers.
std::int64_t kvCacheBytes(const ModelConfig& config, std::int64_t tokens,
                          std::int64_t bytesPerValue);

/// Bytes of weights, of one set of gradients a worker, and of two moments, in float32, without the
/// activations.
std::int64_t trainingBytes(const ModelConfig& config, std::int64_t workers);

} // namespace headscope
