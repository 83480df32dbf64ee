#pragma once

#include "core/model/config/model_settings.h"
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
    std::int64_t keyHeads = 0;       ///< Key and value heads; 0: as many as `heads`.
    std::int64_t headDimension = 0;  ///< d_k; 0: d_model / heads
    std::int64_t valueDimension = 0; ///< d_v; 0: d_k
    std::int64_t layers = 6;
    /// Layers of an encoder-decoder's decoder; 0: as many as `layers`.
    std::int64_t decoderLayers = 0;
    std::int64_t dFf = 1024; ///< 0: blocks without a feed-forward network
    std::int64_t maxLen = 512;
    Positions positions = Positions::Learned;
    double sinusoidalBase = 10000.0;
    bool sinusoidalHalves = false; ///< First all sines, then all cosines (Marian).
    RopeSettings rope;
    bool alibiScaled = false; ///< ALiBi's terms are times the factor of the scores too (Falcon).
    std::int64_t relativeBuckets = 32;      ///< Buckets of relative positions (T5).
    std::int64_t relativeMaxDistance = 128; ///< Largest distance with its own bucket (T5).
    Activation activation = Activation::GeluExact;
    Norm norm = Norm::Layer;
    NormPosition normPosition = NormPosition::Pre;
    double normEpsilon = 1e-5;
    std::optional<bool> normBias; ///< False: norms of the other kinds without beta (ModernBERT).
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
    Residual residual = Residual::Sequential;
    bool sharedNorm = false;    ///< Parallel halves of a block read one norm (Phi-2, Falcon).
    double residualScale = 1.0; ///< Multiplies what a sublayer adds (Granite).
    bool embeddingNorm = false; ///< Normalises right after the embeddings (BERT, BLOOM).
    LatentSettings latent;
    ExpertSettings experts;
    /// Attends only to keys fewer than this many positions back.
    std::optional<std::int64_t> window;
    /// Settings of the blocks one by one; empty: all are as the model says. Not for
    /// encoder-decoders.
    std::vector<LayerSettings> layerSettings;
    double softCap = 0.0; ///< Soft cap c > 0: scores = c tanh(scores / c).
    /// A learned logit per head that takes weight in the softmax and has no value (gpt-oss).
    bool attentionSinks = false;
    bool causal = true;                    ///< Decoders; false is the pitfall "mask missing".
    bool scaleScores = true;               ///< Scales scores; false: T5, and a pitfall.
    std::optional<double> attentionScale;  ///< Factor of the scores; none: 1 / sqrt(d_k).
    bool bias = true;                      ///< Biases of linear layers.
    std::optional<bool> queryKeyValueBias; ///< Overrides `bias` (Qwen2).
    bool headBias = false;                 ///< Bias of the language head.
    double dropout = 0.0; ///< Probability at sublayer outputs and, by default, for the next two.
    std::optional<double> attentionDropout; ///< Probability for attention weights.
    std::optional<double> embeddingDropout;
    bool tieEmbeddings = true;                ///< Source, target and head share one matrix.
    std::optional<bool> shareSourceEmbedding; ///< Source and target alone; overrides tieEmbeddings.
    bool languageHead = true;                 ///< False: hidden states are the result (MiniLM).
    /// Width of token, position and segment embeddings that are projected to d_model, and of what the
    /// head's dense layer computes (ELECTRA); 0: d_model.
    std::int64_t embeddingWidth = 0;
    double embeddingScale = 1.0; ///< Multiplies token embeddings before the positions are added.
    double headScale = 1.0;      ///< Multiplies the final hidden state before the head (T5 1.0).
    double logitCap = 0.0;       ///< Soft cap of the logits, as softCap; 0: none (Gemma 2).
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

    std::int64_t valueDim() const
    {
        if (isLatent())
            return latent.valueDim;
        return valueDimension > 0 ? valueDimension : headDim();
    }

    std::int64_t embeddingDim() const { return embeddingWidth > 0 ? embeddingWidth : dModel; }

    /// Width of what the language head reads.
    std::int64_t headInputDim() const { return headTransform ? embeddingDim() : dModel; }

    /// Factor of the products of queries and keys.
    double scoreScale() const;

    /// Settings of one block: its own, or the model's.
    LayerSettings layer(std::int64_t index) const;

    std::int64_t expertWidth() const { return experts.width > 0 ? experts.width : dFf; }

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

    bool isGated() const { return activation >= Activation::SwiGlu; }

    bool hasNormBias() const
    {
        const bool kindHas = norm == Norm::Layer || norm == Norm::StdEps || norm == Norm::Batch;
        return kindHas && normBias.value_or(true);
    }

    /// True where a sublayer reads a norm of the residual stream.
    bool normsInput() const
    {
        return normPosition == NormPosition::Pre || normPosition == NormPosition::Both;
    }

    /// The same of one layer's attention, which may read the stream itself.
    bool normsAttentionInput(std::int64_t index) const
    {
        return normsInput() && layer(index).normsAttention;
    }

    /// True where what a sublayer adds is normalised first.
    bool normsOutput() const
    {
        return normPosition == NormPosition::Output || normPosition == NormPosition::Both;
    }

    /// True if the running mean and variance of every norm belong to the model (BatchNorm).
    bool hasRunningStatistics() const { return norm == Norm::Batch; }

    bool hasResidual() const { return residual != Residual::None; }

    bool isParallel() const { return residual == Residual::Parallel; }

    bool hasFinalNorm() const { return normPosition != NormPosition::Post; }

    bool hasQueryKeyValueBias() const { return queryKeyValueBias.value_or(bias); }

    /// Throws Error naming the field, its value and the nearest valid choice.
    void validate() const;

    friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

} // namespace headscope
