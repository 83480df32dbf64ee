#pragma once

#include "core/ops/norm.h"
#include "core/ops/rope_frequencies.h"

#include <cstdint>
#include <optional>

namespace headscope {

enum class Architecture {
    Decoder,        ///< "gpt": one stack, every token sees its past (GPT, Llama)
    Encoder,        ///< "encoder": one stack, every token sees all (BERT)
    EncoderDecoder, ///< "encoder-decoder": two stacks joined by cross-attention (2017, T5)
};
enum class Positions { None, Sinusoidal, Learned, Rope, Alibi, RelativeBuckets };
/// GeGlu gates with the tanh form of GELU, GeGluExact with GELU itself. ClampedSwiGlu: gpt-oss's
/// gate (gated_activation.h).
enum class Activation { Relu, GeluExact, GeluTanh, Silu, SwiGlu, GeGlu, GeGluExact, ClampedSwiGlu };
using Norm = NormKind;
/// Where a block normalises: the input of a sublayer, the sum after it, what the sublayer adds
/// (OLMo 2), or both its input and what it adds (Gemma 2).
enum class NormPosition { Pre, Post, Output, Both };
/// Norms of queries and keys between their projection and the rotation.
enum class QueryKeyNorm : std::uint8_t {
    None,
    PerHead,    ///< Over the channels of a head, one gamma for all heads (Qwen3, Gemma 3).
    OwnPerHead, ///< The same with a gamma for each head (StableLM 2).
    Whole,      ///< Over the channels of all heads together (OLMo 2).
};
/// Paths past the sublayers of a block.
enum class Residual : std::uint8_t {
    Sequential, ///< x + attention(x), then that + feed-forward(that).
    Parallel,   ///< x + attention(norm1 x) + feed-forward(norm2 x) (GPT-NeoX).
    None,       ///< attention(x), then feed-forward(that): an experiment.
};
enum class Initialisation {
    Normal, ///< N(0, initStd) for every matrix, zero biases (GPT-2).
    FanIn,  ///< N(0, 1 / sqrt(fan_in)) for matrices, N(0, 1 / sqrt(d_model)) for embeddings.
};

/// Multi-head latent attention (DeepSeek-V2 2024, section 2.1): keys and values are computed from
/// one latent per token, which is what the cache stores.
struct LatentSettings
{
    std::int64_t keyValueRank = 0; ///< Rank r of the latent; 0: no latent attention.
    std::int64_t queryRank = 0;    ///< 0: queries are projected directly from the residual stream
    std::int64_t ropeDim = 0;      ///< Decoupled rotary channels per head; 0: none.
    std::int64_t nopeDim = 0;      ///< Channels per head without positions.
    std::int64_t valueDim = 0;     ///< Channels per head of a value.

    friend bool operator==(const LatentSettings&, const LatentSettings&) = default;
};

/// Mixture of experts in place of the feed-forward network (Shazeer et al. 2017). The balancing loss is E sum_e f_e P_e of one sequence
/// (Fedus et al. 2021, eq. 4; per sequence as in DeepSeek-V2), averaged over layers and sequences.
struct ExpertSettings
{
    std::int64_t count = 0; ///< 0: a plain feed-forward network
    std::int64_t topK = 2;
    double balanceCoefficient = 0.01;
    std::int64_t width = 0; ///< Width d_ff of an expert; 0: that of the model.
    /// Weights of the chosen experts sum to 1 (Mixtral); otherwise they are the probabilities.
    bool normalised = true;
    bool routerBias = false;
    /// Width of a feed-forward network beside the experts that sees every token (DeepSeekMoE, Dai et
    /// al. 2024); 0: none.
    std::int64_t sharedWidth = 0;
    bool sharedGate = false; ///< What it adds is times sigmoid(w x) (Qwen2-MoE).

    friend bool operator==(const ExpertSettings&, const ExpertSettings&) = default;
};

/// What one block may have of its own.
struct LayerSettings
{
    std::optional<std::int64_t> window; ///< As ModelConfig::window.
    bool rotates = true;                ///< False: no positions in this layer (SmolLM3).
    RopeSettings rope;
    std::int64_t dFf = 0;
    bool hasExperts = true; ///< False: a plain feed-forward network in a model with experts.
    /// False: attention reads the residual stream without a norm before it (ModernBERT's first
    /// layer).
    bool normsAttention = true;

    friend bool operator==(const LayerSettings&, const LayerSettings&) = default;
};

} // namespace headscope
