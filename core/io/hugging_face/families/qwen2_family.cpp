#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

const PartNames kQwen2MoeNames =
    gatedDecoderNames({{"shared.gate", "layers.{}.mlp.shared_expert.gate_proj"},
                       {"shared.up", "layers.{}.mlp.shared_expert.up_proj"},
                       {"shared.down", "layers.{}.mlp.shared_expert.down_proj"},
                       {"shared.scale", "layers.{}.mlp.shared_expert_gate"}});

ModelConfig readQwen2(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 32});
    config.queryKeyValueBias = true;
    readQwenWindows(json, config);
    return config;
}

ModelConfig readQwen2Moe(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 16});
    config.queryKeyValueBias = json.flag("qkv_bias", true);
    readQwenWindows(json, config);
    ExpertSettings& experts = config.experts;
    experts.count =
        json.integer(json.has("num_local_experts") ? "num_local_experts" : "num_experts", 60);
    experts.topK = json.integer("num_experts_per_tok", 4);
    experts.width = json.integer("moe_intermediate_size", 1408);
    experts.normalised = json.flag("norm_topk_prob", false);
    experts.sharedWidth = json.integer("shared_expert_intermediate_size", 5632);
    experts.sharedGate = true;
    readQwenExpertLayers(json, config);
    return config;
}

void describeQwen2Moe(const WeightContext& context, StoredWeight& weight)
{
    describeExperts(context, "layers.{}.mlp.experts.", weight);
}

} // namespace

const HuggingFaceFamily kQwen2Family{.modelType = "qwen2",
                                     .readConfig = readQwen2,
                                     .names = kGatedDecoderNames,
                                     .typical = R"({"num_key_value_heads": 2})"};

const HuggingFaceFamily kQwen2MoeFamily{.modelType = "qwen2_moe",
                                        .readConfig = readQwen2Moe,
                                        .names = kQwen2MoeNames,
                                        .describe = describeQwen2Moe,
                                        .typical = R"({"num_key_value_heads": 8})"};

} // namespace headscope
