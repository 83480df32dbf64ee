#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"
#include "core/io/hugging_face/rope_reader.h"

#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kGemmaHeadDim = 256;
constexpr std::int64_t kGemmaWindow = 4096;

/// Four norms a block.
const PartNames kGemma2Names =
    gatedDecoderNames({{"ln1_out", "layers.{}.post_attention_layernorm"},
                       {"ln2", "layers.{}.pre_feedforward_layernorm"},
                       {"ln2_out", "layers.{}.post_feedforward_layernorm"}});

/// "gelu" of older files is the tanh form, which transformers uses there too.
const std::map<std::string, Activation> kGemmaActivations{{"gelu", Activation::GeGlu},
                                                          {"gelu_pytorch_tanh", Activation::GeGlu}};

ModelConfig readGemmaBase(const ConfigReader& json, std::int64_t keyHeads, double theta)
{
    json.requireFlag("use_bidirectional_attention", false);
    ModelConfig config = readGatedDecoder(
        json, {.keyHeads = keyHeads, .headDim = kGemmaHeadDim, .theta = theta, .tied = true});
    config.activation =
        json.choice(json.has("hidden_activation") ? "hidden_activation" : "hidden_act",
                    "gelu_pytorch_tanh", kGemmaActivations);
    config.norm = Norm::RmsUnitOffset;
    config.embeddingScale = std::sqrt(static_cast<double>(config.dModel));
    readBiases(json, config);
    return config;
}

ModelConfig readGemma(const ConfigReader& json)
{
    return readGemmaBase(json, 16, 10000.0);
}

/// What Gemma 2 and 3 share.
ModelConfig readFourNorms(const ConfigReader& json, double theta)
{
    ModelConfig config = readGemmaBase(json, 4, theta);
    config.normPosition = NormPosition::Both;
    const double scalar = json.number("query_pre_attn_scalar", kGemmaHeadDim);
    if (!(scalar > 0.0))
        json.refuse("query_pre_attn_scalar", "Use a number above 0");
    config.attentionScale = 1.0 / std::sqrt(scalar);
    return config;
}

ModelConfig readGemma2(const ConfigReader& json)
{
    ModelConfig config = readFourNorms(json, 10000.0);
    config.softCap = json.number("attn_logit_softcapping", 0.0);
    config.logitCap = json.number("final_logit_softcapping", 0.0);
    setWindows(config, localLayers(json, config, [](std::int64_t layer) { return layer % 2 == 0; }),
               json.integer("sliding_window", kGemmaWindow));
    return config;
}

ModelConfig readGemma3(const ConfigReader& json)
{
    ModelConfig config = readFourNorms(json, 1e6);
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    config.softCap = json.number("attn_logit_softcapping", 0.0);
    config.logitCap = json.number("final_logit_softcapping", 0.0);
    const std::int64_t pattern = json.positiveInteger("sliding_window_pattern", 6);
    const std::vector<bool> local =
        localLayers(json, config, [&](std::int64_t layer) { return (layer + 1) % pattern != 0; });
    config.rope = readLayerRope(json, config, "full_attention", "rope_theta", 1e6, true);
    const RopeSettings localRope =
        readLayerRope(json, config, "sliding_attention", "rope_local_base_freq", 10000.0, false);
    const std::int64_t window = json.integer("sliding_window", kGemmaWindow);
    setWindows(config, local, window, localRope);
    return config;
}

} // namespace

const HuggingFaceFamily kGemmaFamily{.modelType = "gemma",
                                     .readConfig = readGemma,
                                     .names = kGatedDecoderNames,
                                     .describe = describeBiases};

const HuggingFaceFamily kGemma2Family{
    .modelType = "gemma2",
    .readConfig = readGemma2,
    .names = kGemma2Names,
    .describe = describeBiases,
    .typical = R"({"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0})"};

const HuggingFaceFamily kGemma3Family{.modelType = "gemma3_text",
                                      .readConfig = readGemma3,
                                      .names = kGemma2Names,
                                      .describe = describeBiases};

} // namespace headscope
