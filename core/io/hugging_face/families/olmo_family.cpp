#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"
#include "core/io/hugging_face/rope_reader.h"

namespace headscope {

namespace {

constexpr double kOlmo3Theta = 500000.0;
constexpr std::int64_t kOlmo3Window = 4096;

void refuseClipping(const ConfigReader& json)
{
    if (json.has("clip_qkv"))
        json.refuse("clip_qkv", "Only models without it are supported");
}

/// Norms have no parameters.
ModelConfig readOlmo(const ConfigReader& json)
{
    refuseClipping(json);
    ModelConfig config = readGatedDecoder(json);
    config.norm = Norm::Layer;
    config.normBias = false;
    config.normEpsilon = 1e-5;
    readBiases(json, config);
    return config;
}

void describeOlmo(const WeightContext& context, StoredWeight& weight)
{
    describeBiases(context, weight);
    if (!context.name.part.starts_with("ln"))
        return;
    weight.names.clear();
    weight.constant = 1.0F;
}

ModelConfig readOlmoe(const ConfigReader& json)
{
    refuseClipping(json);
    json.requireFlag("attention_bias", false);
    ModelConfig config = readGatedDecoder(json, {.epsilon = 1e-5});
    config.queryKeyNorm = QueryKeyNorm::Whole;
    config.experts.count =
        json.integer(json.has("num_local_experts") ? "num_local_experts" : "num_experts", 64);
    config.experts.topK = json.integer("num_experts_per_tok", 8);
    config.experts.normalised = json.flag("norm_topk_prob", false);
    return config;
}

void describeOlmoe(const WeightContext& context, StoredWeight& weight)
{
    describeExperts(context, "layers.{}.mlp.experts.", weight);
}

/// Norms of what a sublayer adds, and none of its input.
const PartNames kOlmo2Names = gatedDecoderNames({{"ln1", "layers.{}.post_attention_layernorm"},
                                                 {"ln2", "layers.{}.post_feedforward_layernorm"}});

ModelConfig readOlmo2(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.epsilon = 1e-5});
    config.normPosition = NormPosition::Output;
    config.queryKeyNorm = QueryKeyNorm::Whole;
    readBiases(json, config);
    return config;
}

/// Scaled rotations are those of global layers alone.
ModelConfig readOlmo3(const ConfigReader& json)
{
    ModelConfig config = readOlmo2(json);
    const std::vector<bool> local =
        localLayers(json, config, [](std::int64_t layer) { return (layer + 1) % 4 != 0; });
    config.rope = readLayerRope(json, config, "full_attention", "rope_theta", kOlmo3Theta, true);
    const RopeSettings localRope =
        readLayerRope(json, config, "sliding_attention", "rope_theta", kOlmo3Theta, false);
    const std::int64_t window = json.integer("sliding_window", kOlmo3Window);
    setWindows(config, local, window, localRope);
    return config;
}

} // namespace

const HuggingFaceFamily kOlmoFamily{.modelType = "olmo",
                                    .readConfig = readOlmo,
                                    .names = kGatedDecoderNames,
                                    .describe = describeOlmo,
                                    .typical = R"({"num_key_value_heads": 8})"};

const HuggingFaceFamily kOlmoeFamily{.modelType = "olmoe",
                                     .readConfig = readOlmoe,
                                     .names = kGatedDecoderNames,
                                     .describe = describeOlmoe,
                                     .typical = R"({"num_key_value_heads": 8})"};

const HuggingFaceFamily kOlmo2Family{.modelType = "olmo2",
                                     .readConfig = readOlmo2,
                                     .names = kOlmo2Names,
                                     .describe = describeBiases};

const HuggingFaceFamily kOlmo3Family{.modelType = "olmo3",
                                     .readConfig = readOlmo3,
                                     .names = kOlmo2Names,
                                     .describe = describeBiases,
                                     .typical =
                                         R"({"rope_scaling": {"rope_type": "yarn", "factor": 8.0,
    "original_max_position_embeddings": 8192}})"};

} // namespace headscope
