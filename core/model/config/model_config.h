#pragma once

#include "core/model/config/model_settings.h"
#include "core/ops/rope_frequencies.h"
#include "core/trace/attention_kind.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// Everything that determines the shape and arithmetic of a transformer.
struct ModelConfig
{
    Architecture architecture = Architecture::Decoder;
    std::int64_t vocabularySize = 0;
    std::int64_t dModel = 256;
    std::int64_t heads = 8;
    std::int64_t keyHeads = 0;      ///< Key and value heads; 0: as many as `heads`.
    std::int64_t headDimension = 0; ///< d_k; 0: d_model / heads
    std::int64_t layers = 6;
    /// Layers of an encoder-decoder's decoder; 0: as many as `layers`.
    std::int64_t decoderLayers = 0;
    std::int64_t dFf = 1024; ///< 0: blocks without a feed-forward network
    std::int64_t maxLen = 512;
    Positions positions = Positions::Learned;
    double sinusoidalBase = 10000.0;
    RopeSettings rope;
    std::int64_t relativeBuckets = 32;      ///< Buckets of relative positions (T5).
    std::int64_t relativeMaxDistance = 128; ///< Largest distance with its own bucket (T5).
    Activation activation = Activation::GeluExact;
    Norm norm = Norm::Layer;
    NormPosition normPosition = NormPosition::Pre;
    double normEpsilon = 1e-5;
    Residual residual = Residual::Sequential;
    bool embeddingNorm = false; ///< Normalises right after the embeddings (BERT, BLOOM).
    LatentSettings latent;
    ExpertSettings experts;
    /// Attends only to keys fewer than this many positions back.
    std::optional<std::int64_t> window;
    double softCap = 0.0;                  ///< Soft cap c > 0: scores = c tanh(scores / c).
    bool causal = true;                    ///< Decoders; false is the pitfall "mask missing".
    bool scaleScores = true;               ///< Scales by 1 / sqrt(d_k); false: T5, and a pitfall.
    bool bias = true;                      ///< Biases of linear layers.
    std::optional<bool> queryKeyValueBias; ///< Overrides `bias` (Qwen2).
    bool headBias = false;                 ///< Bias of the language head.
    double dropout = 0.0; ///< Probability at sublayer outputs and, by default, for the next two.
    std::optional<double> attentionDropout; ///< Probability for attention weights.
    std::optional<double> embeddingDropout;
    bool tieEmbeddings = true;                ///< Source, target and head share one matrix.
    std::optional<bool> shareSourceEmbedding; ///< Source and target alone; overrides tieEmbeddings.
    bool languageHead = true;                 ///< False: hidden states are the result (MiniLM).
    double embeddingScale = 1.0; ///< Multiplies token embeddings before the positions are added.
    double headScale = 1.0;      ///< Multiplies the final hidden state before the head (T5 1.0).
    std::int64_t tokenTypes = 0; ///< Rows of the segment embedding matrix (BERT: 2).
    /// Dense layer, activation and norm before the language head (BERT).
    bool headTransform = false;
    bool nextSentence = false; ///< Pooler and next-sentence head (BERT).
    Initialisation initialisation = Initialisation::Normal;
    double initStd = 0.02;

    std::int64_t headDim() const { return headDimension > 0 ? headDimension : dModel / heads; }

    std::int64_t keyHeadCount() const { return keyHeads > 0 ? keyHeads : heads; }

    /// Channels per head of queries and keys.
    std::int64_t queryDim() const
    {
        return isLatent() ? latent.nopeDim + latent.ropeDim : headDim();
    }

    std::int64_t valueDim() const { return isLatent() ? latent.valueDim : headDim(); }

    std::int64_t decoderLayerCount() const { return decoderLayers > 0 ? decoderLayers : layers; }

    /// Rotated channels per head; 0 unless positions are rotary.
    std::int64_t ropeDimensions() const
    {
        if (isLatent())
            return latent.ropeDim;
        if (positions != Positions::Rope)
            return 0;
        return rope.dimensions > 0 ? rope.dimensions : headDim();
    }

    bool hasEncoder() const { return architecture != Architecture::Decoder; }

    bool hasDecoder() const { return architecture != Architecture::Encoder; }

    bool isEncoderDecoder() const { return architecture == Architecture::EncoderDecoder; }

    /// Stack whose final hidden states are the model's: the only one, or the decoder.
    Stack mainStack() const { return isEncoderDecoder() ? Stack::Decoder : Stack::Blocks; }

    /// Kinds of attention in the order of the computation.
    std::vector<AttentionKind> attentionKinds() const
    {
        if (!isEncoderDecoder())
            return {AttentionKind::Self};
        return {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross};
    }

    bool isLatent() const { return latent.keyValueRank > 0; }

    bool isGated() const
    {
        return activation == Activation::SwiGlu || activation == Activation::GeGlu;
    }

    bool hasNormBias() const
    {
        return norm == Norm::Layer || norm == Norm::StdEps || norm == Norm::Batch;
    }

    /// True if the running mean and variance of every norm belong to the model (BatchNorm).
    bool hasRunningStatistics() const { return norm == Norm::Batch; }

    bool hasResidual() const { return residual != Residual::None; }

    bool isParallel() const { return residual == Residual::Parallel; }

    bool hasFinalNorm() const { return normPosition == NormPosition::Pre; }

    bool hasQueryKeyValueBias() const { return queryKeyValueBias.value_or(bias); }

    /// Throws Error naming the field, its value and the nearest valid choice.
    void validate() const;

    friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

} // namespace headscope
