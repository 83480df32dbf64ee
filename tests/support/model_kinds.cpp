#include "tests/support/model_kinds.h"

namespace headscope::test {

namespace {

class KindList
{
public:
    template<class Change>
    void add(const std::string& name, Change change)
    {
        ModelConfig config;
        config.vocabularySize = 37;
        config.dModel = 24;
        config.heads = 4;
        config.layers = 2;
        config.dFf = 40;
        config.maxLen = 20;
        change(config);
        kinds.emplace_back(name, config);
    }

    std::vector<std::pair<std::string, ModelConfig>> kinds;
};

void addPositions(KindList& list)
{
    list.add("learned", [](ModelConfig&) {});
    list.add("no positions", [](ModelConfig& c) { c.positions = Positions::None; });
    list.add("sinusoidal", [](ModelConfig& c) {
        c.positions = Positions::Sinusoidal;
        c.sinusoidalBase = 100.0;
    });
    list.add("alibi", [](ModelConfig& c) { c.positions = Positions::Alibi; });
    list.add("relative", [](ModelConfig& c) {
        c.positions = Positions::RelativeBuckets;
        c.relativeBuckets = 9;
        c.relativeMaxDistance = 17;
    });
    list.add("rope", [](ModelConfig& c) { c.positions = Positions::Rope; });
    list.add("rope, interleaved, in part, yarn", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.layout = RopeSettings::Layout::Interleaved;
        c.rope.dimensions = 4;
        c.rope.theta = 500000.0;
        c.rope.scaling = RopeSettings::Scaling::Yarn;
        c.rope.factor = 2.5;
        c.rope.originalMaxLen = 8;
        c.rope.betaFast = 16.0;
        c.rope.betaSlow = 2.0;
        c.rope.attentionFactor = 1.25;
    });
    list.add("rope, llama3", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.scaling = RopeSettings::Scaling::Llama3;
        c.rope.factor = 8.0;
        c.rope.lowFrequencyFactor = 0.5;
        c.rope.highFrequencyFactor = 3.0;
    });
    list.add("rope, linear, kept for another day", [](ModelConfig& c) {
        c.rope.scaling = RopeSettings::Scaling::Linear;
        c.rope.factor = 4.0;
    });
    list.add("rope, dynamic", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.scaling = RopeSettings::Scaling::Dynamic;
    });
}

void addAttention(KindList& list)
{
    list.add("grouped queries, q k v without bias", [](ModelConfig& c) {
        c.keyHeads = 2;
        c.queryKeyValueBias = false;
    });
    list.add("one key head, bias on q k v alone", [](ModelConfig& c) {
        c.keyHeads = 1;
        c.bias = false;
        c.queryKeyValueBias = true;
    });
    list.add("wide heads", [](ModelConfig& c) { c.headDimension = 10; });
    list.add("latent, both ranks and rope", [](ModelConfig& c) {
        c.latent = {12, 16, 4, 8, 6};
        c.positions = Positions::Rope;
        c.rope.layout = RopeSettings::Layout::Interleaved;
    });
    list.add("latent, queries from the stream", [](ModelConfig& c) {
        c.latent = {12, 0, 0, 8, 6};
        c.positions = Positions::None;
        c.heads = 5;
    });
    list.add("window, soft cap, unscaled", [](ModelConfig& c) {
        c.window = 3;
        c.softCap = 30.0;
        c.scaleScores = false;
    });
    list.add("no causal mask", [](ModelConfig& c) { c.causal = false; });
}

void addBlocks(KindList& list)
{
    list.add("rms, swiglu, no bias", [](ModelConfig& c) {
        c.norm = Norm::Rms;
        c.activation = Activation::SwiGlu;
        c.bias = false;
        c.tieEmbeddings = false;
    });
    list.add("rms with unit offset, geglu", [](ModelConfig& c) {
        c.norm = Norm::RmsUnitOffset;
        c.activation = Activation::GeGlu;
        c.normEpsilon = 1e-6;
    });
    list.add("post, std_eps, relu", [](ModelConfig& c) {
        c.normPosition = NormPosition::Post;
        c.norm = Norm::StdEps;
        c.activation = Activation::Relu;
    });
    list.add("parallel residual", [](ModelConfig& c) {
        c.residual = Residual::Parallel;
        c.activation = Activation::GeluTanh;
    });
    list.add("no residual connections", [](ModelConfig& c) { c.residual = Residual::None; });
    list.add("batch norm", [](ModelConfig& c) { c.norm = Norm::Batch; });
    list.add("no feed-forward part", [](ModelConfig& c) { c.dFf = 0; });
    list.add("experts", [](ModelConfig& c) { c.experts = {3, 2, 0.02}; });
    list.add("gated experts", [](ModelConfig& c) {
        c.experts = {4, 1, 0.0};
        c.activation = Activation::SwiGlu;
    });
    list.add("no blocks", [](ModelConfig& c) { c.layers = 0; });
}

void addEdges(KindList& list)
{
    list.add("dropout of three kinds", [](ModelConfig& c) {
        c.dropout = 0.1;
        c.attentionDropout = 0.2;
        c.embeddingDropout = 0.3;
    });
    list.add("scales, embedding norm, head bias", [](ModelConfig& c) {
        c.embeddingNorm = true;
        c.embeddingScale = 4.898979485566356;
        c.headScale = 0.2041241452319315;
        c.headBias = true;
        c.tieEmbeddings = false;
    });
    list.add("other start", [](ModelConfig& c) {
        c.initialisation = Initialisation::FanIn;
        c.initStd = 0.125;
    });
}

void addArchitectures(KindList& list)
{
    list.add("encoder with everything of BERT", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.normPosition = NormPosition::Post;
        c.embeddingNorm = true;
        c.tokenTypes = 2;
        c.headTransform = true;
        c.headBias = true;
        c.nextSentence = true;
    });
    list.add("encoder without a head", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.languageHead = false;
        c.positions = Positions::RelativeBuckets;
    });
    list.add("2017", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.positions = Positions::Sinusoidal;
        c.normPosition = NormPosition::Post;
        c.activation = Activation::Relu;
        c.tieEmbeddings = false;
        c.headBias = true;
    });
    list.add("t5", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.positions = Positions::RelativeBuckets;
        c.norm = Norm::Rms;
        c.bias = false;
        c.scaleScores = false;
        c.decoderLayers = 3;
    });
    list.add("t5 1.1: source and target share, the head does not", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.positions = Positions::RelativeBuckets;
        c.norm = Norm::Rms;
        c.activation = Activation::GeGlu;
        c.bias = false;
        c.tieEmbeddings = false;
        c.shareSourceEmbedding = true;
    });
    list.add("learned positions and norms in both stacks, grouped", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.embeddingNorm = true;
        c.keyHeads = 2;
        c.shareSourceEmbedding = false;
        c.experts = {3, 2, 0.01};
    });
}

/// Every layer but those that leave remainder 1 as `change` makes it.
template<class Change>
void changeEvenLayers(ModelConfig& c, Change change)
{
    c.layerSettings.assign(static_cast<std::size_t>(c.layers), ModelConfig(c).layer(0));
    for (std::size_t layer = 0; layer < c.layerSettings.size(); layer += 2)
        change(c.layerSettings[layer]);
}

/// Mechanisms of the models of 2023 to 2025.
void addCurrentModels(KindList& list)
{
    list.add("local and global layers, four norms a block, caps", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.theta = 5000.0;
        c.norm = Norm::RmsUnitOffset;
        c.normPosition = NormPosition::Both;
        c.queryKeyNorm = QueryKeyNorm::PerHead;
        c.activation = Activation::GeGlu;
        c.keyHeads = 2;
        c.bias = false;
        c.softCap = 3.0;
        c.logitCap = 5.0;
        c.attentionScale = 0.3;
        changeEvenLayers(c, [](LayerSettings& layer) {
            layer.window = 3;
            layer.rope.theta = 100.0;
            layer.rope.scaling = RopeSettings::Scaling::Linear;
            layer.rope.factor = 2.0;
        });
    });
    list.add("norms of outputs, of all queries together", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.norm = Norm::Rms;
        c.normPosition = NormPosition::Output;
        c.queryKeyNorm = QueryKeyNorm::Whole;
        c.activation = Activation::SwiGlu;
    });
    list.add("parallel halves share a norm, a norm for each head", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.dimensions = 4;
        c.residual = Residual::Parallel;
        c.sharedNorm = true;
        c.queryKeyNorm = QueryKeyNorm::OwnPerHead;
        c.tieEmbeddings = false;
        c.headBias = true;
    });
    list.add("attention sinks, clamped gates, biased router", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.norm = Norm::Rms;
        c.attentionSinks = true;
        c.keyHeads = 2;
        c.activation = Activation::ClampedSwiGlu;
        c.experts = {4, 2, 0.01};
        c.experts.routerBias = true;
        changeEvenLayers(c, [](LayerSettings& layer) { layer.window = 4; });
    });
    list.add("factors of embeddings, residuals, scores and logits", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.norm = Norm::Rms;
        c.embeddingScale = 3.0;
        c.residualScale = 0.4;
        c.attentionScale = 0.1;
        c.headScale = 0.25;
    });
    list.add("layers without positions, long rope", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.rope.scaling = RopeSettings::Scaling::LongRope;
        c.rope.factor = 4.0;
        c.rope.originalMaxLen = 20;
        c.rope.shortFactors = {1.0, 1.5, 2.0};
        c.rope.longFactors = {2.0, 4.0, 8.0};
        changeEvenLayers(c, [](LayerSettings& layer) { layer.rotates = false; });
    });
    list.add("narrow experts and wide networks by turns", [](ModelConfig& c) {
        c.experts = {5, 2, 0.01};
        c.experts.width = 12;
        c.experts.normalised = false;
        c.activation = Activation::SwiGlu;
        changeEvenLayers(c, [](LayerSettings& layer) {
            layer.hasExperts = false;
            layer.dFf = 56;
        });
    });
    list.add("values wider than keys, linear gate of SiLU", [](ModelConfig& c) {
        c.valueDimension = 9;
        c.keyHeads = 2;
        c.activation = Activation::Silu;
    });
    list.add("norms without beta, exact gates, local layers both ways", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.causal = false;
        c.positions = Positions::Rope;
        c.normBias = false;
        c.embeddingNorm = true;
        c.headTransform = true;
        c.bias = false;
        c.headBias = true;
        c.activation = Activation::GeGluExact;
        changeEvenLayers(c, [](LayerSettings& layer) {
            layer.window = 3;
            layer.normsAttention = false;
        });
    });
    list.add("first attention without a norm before it", [](ModelConfig& c) {
        c.positions = Positions::Rope;
        c.norm = Norm::Rms;
        c.keyHeads = 2;
        changeEvenLayers(c, [](LayerSettings& layer) { layer.normsAttention = false; });
    });
    list.add("gated shared expert", [](ModelConfig& c) {
        c.experts = {4, 2, 0.01};
        c.experts.width = 12;
        c.experts.sharedWidth = 20;
        c.experts.sharedGate = true;
        c.activation = Activation::SwiGlu;
        c.bias = false;
        changeEvenLayers(c, [](LayerSettings& layer) { layer.hasExperts = false; });
    });
    list.add("shared expert, after the norm of its input", [](ModelConfig& c) {
        c.experts = {3, 1, 0.0};
        c.experts.sharedWidth = 16;
        c.normPosition = NormPosition::Post;
    });
    list.add("narrow embeddings with everything of BERT", [](ModelConfig& c) {
        c.architecture = Architecture::Encoder;
        c.normPosition = NormPosition::Post;
        c.embeddingWidth = 16;
        c.embeddingNorm = true;
        c.tokenTypes = 2;
        c.headTransform = true;
        c.headBias = true;
    });
    list.add("wide embeddings without a norm", [](ModelConfig& c) {
        c.embeddingWidth = 28;
        c.headTransform = true;
        c.tieEmbeddings = false;
        c.bias = false;
    });
    list.add("alibi times the factor of scores", [](ModelConfig& c) {
        c.positions = Positions::Alibi;
        c.alibiScaled = true;
        c.keyHeads = 2;
    });
    list.add("sines before cosines in both stacks", [](ModelConfig& c) {
        c.architecture = Architecture::EncoderDecoder;
        c.positions = Positions::Sinusoidal;
        c.sinusoidalHalves = true;
        c.normPosition = NormPosition::Post;
        c.activation = Activation::Silu;
        c.headBias = true;
    });
}

} // namespace

std::vector<std::pair<std::string, ModelConfig>> modelKinds()
{
    KindList list;
    addPositions(list);
    addAttention(list);
    addBlocks(list);
    addEdges(list);
    addArchitectures(list);
    addCurrentModels(list);
    return std::move(list.kinds);
}

} // namespace headscope::test
