#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

ModelConfig readQwen3(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 32, .headDim = 128});
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    readBiases(json, config);
    readQwenWindows(json, config);
    return config;
}

ModelConfig readQwen3Moe(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 4});
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    readBiases(json, config);
    if (json.flag("use_sliding_window", false) && json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    config.experts.count =
        json.integer(json.has("num_local_experts") ? "num_local_experts" : "num_experts", 128);
    config.experts.topK = json.integer("num_experts_per_tok", 8);
    config.experts.width = json.integer("moe_intermediate_size", 768);
    config.experts.normalised = json.flag("norm_topk_prob", false);
    readQwenExpertLayers(json, config);
    return config;
}

void describeQwen3Moe(const WeightContext& context, StoredWeight& weight)
{
    describeBiases(context, weight);
    if (context.name.kind == "bias" && !context.name.expert.empty())
        useZeros(weight);
    else
        describeExperts(context, "layers.{}.mlp.experts.", weight);
}

} // namespace

const HuggingFaceFamily kQwen3Family{.modelType = "qwen3",
                                     .readConfig = readQwen3,
                                     .names = kGatedDecoderNames,
                                     .describe = describeBiases};

const HuggingFaceFamily kQwen3MoeFamily{.modelType = "qwen3_moe",
                                        .readConfig = readQwen3Moe,
                                        .names = kGatedDecoderNames,
                                        .describe = describeQwen3Moe};

} // namespace headscope
