#pragma once

#include "core/model/config/model_settings.h"
#include "core/ops/rope_frequencies.h"
#include "core/trace/attention_kind.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// Everything that decides the shape and the arithmetic of a transformer.
struct ModelConfig
{
    Architecture architecture = Architecture::Decoder;
    std::int64_t vocabularySize = 0;
    std::int64_t dModel = 256;
    std::int64_t heads = 8;
    std::int64_t keyHeads = 0;      ///< heads of keys and values; 0: as many as `heads`
    std::int64_t headDimension = 0; ///< d_k; 0: d_model / heads
    std::int64_t layers = 6;
    std::int64_t decoderLayers = 0; ///< of an encoder-decoder; 0: as many as `layers`
    std::int64_t dFf = 1024;        ///< 0: blocks without a feed-forward part
    std::int64_t maxLen = 512;
    Positions positions = Positions::Learned;
    double sinusoidalBase = 10000.0;
    RopeSettings rope;
    std::int64_t relativeBuckets = 32;      ///< T5
    std::int64_t relativeMaxDistance = 128; ///< T5
    Activation activation = Activation::GeluExact;
    Norm norm = Norm::Layer;
    NormPosition normPosition = NormPosition::Pre;
    double normEpsilon = 1e-5;
    bool parallelResidual = false; ///< x + attention(norm1 x) + mlp(norm2 x) (GPT-NeoX)
    bool embeddingNorm = false;    ///< a norm right after the embeddings (BERT, BLOOM)
    LatentSettings latent;
    ExpertSettings experts;
    std::optional<std::int64_t> window;     ///< keys fewer than this many positions back
    double softCap = 0.0;                   ///< c > 0: scores = c tanh(scores / c)
    bool causal = true;                     ///< decoders; false is the pitfall "mask missing"
    bool scaleScores = true;                ///< scores / sqrt(d_k); false: T5, and a pitfall
    bool bias = true;                       ///< of linear layers
    std::optional<bool> queryKeyValueBias;  ///< instead of `bias` (Qwen2)
    bool headBias = false;                  ///< of the language head
    double dropout = 0.0;                   ///< sublayer outputs; and, unless given, the next two
    std::optional<double> attentionDropout; ///< attention weights
    std::optional<double> embeddingDropout;
    bool tieEmbeddings = true;                ///< source, target and head share one table
    std::optional<bool> shareSourceEmbedding; ///< source and target alone, instead of tieEmbeddings
    bool languageHead = true;                 ///< false: hidden states are the result (MiniLM)
    double embeddingScale = 1.0; ///< multiplies token embeddings before the positions are added
    double headScale = 1.0;      ///< multiplies the last hidden state before the head (T5 1.0)
    std::int64_t tokenTypes = 0; ///< rows of the segment table (BERT: 2)
    bool headTransform = false;  ///< dense, activation, norm before the language head (BERT)
    bool nextSentence = false;   ///< pooler and next-sentence head (BERT)
    Initialisation initialisation = Initialisation::Normal;
    double initStd = 0.02;

    std::int64_t headDim() const { return headDimension > 0 ? headDimension : dModel / heads; }

    std::int64_t keyHeadCount() const { return keyHeads > 0 ? keyHeads : heads; }

    /// Channels a head of queries and keys.
    std::int64_t queryDim() const
    {
        return isLatent() ? latent.nopeDim + latent.ropeDim : headDim();
    }

    std::int64_t valueDim() const { return isLatent() ? latent.valueDim : headDim(); }

    std::int64_t decoderLayerCount() const { return decoderLayers > 0 ? decoderLayers : layers; }

    /// Channels a head that turn; 0 unless rotary.
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

    /// The stack whose last states are the model's: the only one, or the decoder.
    Stack mainStack() const { return isEncoderDecoder() ? Stack::Decoder : Stack::Blocks; }

    /// In the order of the computation.
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

    bool hasNormBias() const { return norm == Norm::Layer || norm == Norm::StdEps; }

    bool hasFinalNorm() const { return normPosition == NormPosition::Pre; }

    bool hasQueryKeyValueBias() const { return queryKeyValueBias.value_or(bias); }

    /// Throws Error naming the field, its value and the nearest valid choice.
    void validate() const;

    friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

} // namespace headscope
