#pragma once

#include "core/model/config/model_config.h"

namespace headscope {

/// Number of parameters of each part of a model, biases included. Sums over all blocks.
struct SizeReport
{
    std::int64_t embeddings = 0;  ///< Tokens, positions, segments, relative biases.
    std::int64_t attention = 0;   ///< Self-attention and cross-attention.
    std::int64_t feedForward = 0; ///< Includes experts and routers.
    std::int64_t norms = 0;
    std::int64_t heads = 0; ///< Language head (0 for a tied matrix) and next-sentence head.

    /// The first block, norms included (of the encoder where there are two stacks).
    std::int64_t block = 0;
    std::int64_t decoderBlock = 0; ///< One block of an encoder-decoder's second stack, otherwise 0.
    std::int64_t active = 0;       ///< Parameters that one token uses: topK experts per block.

    std::int64_t total() const { return embeddings + attention + feedForward + norms + heads; }

    friend bool operator==(const SizeReport&, const SizeReport&) = default;
};

/// Counts by arithmetic alone, so that even models larger than memory can be counted. Validates.
SizeReport sizeReport(const ModelConfig& config);

/// Counts for a configuration whose extents are within range; called by ModelConfig::validate.
SizeReport countParameters(const ModelConfig& config);

/// Size of a decoder's KV cache for `tokens` tokens: 2 L n h_kv d_k bytes; with latent attention
/// one latent and one rotary key per token, (r + d_rope) L n bytes. 0 for an encoder, which has no
/// cache. Throws Error for negative or excessive numbers.
std::int64_t kvCacheBytes(const ModelConfig& config, std::int64_t tokens,
                          std::int64_t bytesPerValue);

/// Bytes of weights, of one set of gradients per worker, and of two moments, in float32, without
/// the activations.
std::int64_t trainingBytes(const ModelConfig& config, std::int64_t workers);

} // namespace headscope
