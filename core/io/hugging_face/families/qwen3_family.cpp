#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

#include <algorithm>

namespace headscope {

namespace {

const PartNames kQwen3Names = gatedDecoderNames();

ModelConfig readQwen3(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 32, .headDim = 128});
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    readBiases(json, config);
    readQwenWindows(json, config);
    return config;
}

/// Layers with experts: all but some that are listed, or every n-th.
void readExpertLayers(const ConfigReader& json, ModelConfig& config)
{
    const std::int64_t step = json.integer("decoder_sparse_step", 1);
    if (step < 1)
        json.refuse("decoder_sparse_step", "Use a positive number");
    std::vector<std::int64_t> dense;
    if (json.has("mlp_only_layers"))
        dense = json.integers("mlp_only_layers");
    std::vector<LayerSettings> layers = layersOf(config);
    for (std::int64_t layer = 0; layer < std::ssize(layers); ++layer)
        layers[static_cast<std::size_t>(layer)].hasExperts =
            (layer + 1) % step == 0 && std::ranges::find(dense, layer) == dense.end();
    setLayers(config, std::move(layers));
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
    readExpertLayers(json, config);
    return config;
}

void describeQwen3Moe(const WeightContext& context, StoredWeight& weight)
{
    describeBiases(context, weight);
    if (context.name.kind == "bias" && !context.name.expert.empty())
        weight.names.clear();
    else
        describeExperts(context, "layers.{}.mlp.experts.", weight);
}

} // namespace

const HuggingFaceFamily kQwen3Family{.modelType = "qwen3",
                                     .prefix = "model.",
                                     .readConfig = readQwen3,
                                     .names = kQwen3Names,
                                     .describe = describeBiases};

const HuggingFaceFamily kQwen3MoeFamily{.modelType = "qwen3_moe",
                                        .prefix = "model.",
                                        .readConfig = readQwen3Moe,
                                        .names = kQwen3Names,
                                        .describe = describeQwen3Moe};

} // namespace headscope
