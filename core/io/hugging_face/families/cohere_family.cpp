#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

/// Parallel blocks behind one LayerNorm without bias; channels are rotated in neighbouring pairs.
ModelConfig readCohereBase(const ConfigReader& json, double theta)
{
    ModelConfig config = readGatedDecoder(json, {.theta = theta, .tied = true});
    config.norm = Norm::Layer;
    config.normBias = false;
    config.normEpsilon = json.number("layer_norm_eps", 1e-5);
    config.residual = Residual::Parallel;
    config.sharedNorm = true;
    config.rope.layout = RopeSettings::Layout::Interleaved;
    config.headScale = json.number("logit_scale", 0.0625);
    readBiases(json, config);
    return config;
}

ModelConfig readCohere(const ConfigReader& json)
{
    ModelConfig config = readCohereBase(json, 500000.0);
    if (json.flag("use_qk_norm", false))
        config.queryKeyNorm = QueryKeyNorm::OwnPerHead;
    return config;
}

/// Global layers have no positions.
ModelConfig readCohere2(const ConfigReader& json)
{
    ModelConfig config = readCohereBase(json, 10000.0);
    const std::int64_t pattern = json.positiveInteger("sliding_window_pattern", 4);
    const std::vector<bool> local =
        localLayers(json, config, [&](std::int64_t layer) { return (layer + 1) % pattern != 0; });
    setLocalRotation(config, local, json.integer("sliding_window", 4096));
    return config;
}

} // namespace

const HuggingFaceFamily kCohereFamily{.modelType = "cohere",
                                      .readConfig = readCohere,
                                      .names = kGatedDecoderNames,
                                      .describe = describeBiases};

const HuggingFaceFamily kCohere2Family{.modelType = "cohere2",
                                       .readConfig = readCohere2,
                                       .names = kGatedDecoderNames,
                                       .describe = describeBiases};

} // namespace headscope
