#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kMixtralNames =
    gatedDecoderNames({{"router", "layers.{}.block_sparse_moe.gate"},
                       {"expert.gate", "layers.{}.block_sparse_moe.experts.{e}.w1"},
                       {"expert.up", "layers.{}.block_sparse_moe.experts.{e}.w3"},
                       {"expert.down", "layers.{}.block_sparse_moe.experts.{e}.w2"}});

ModelConfig readMistral(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 8});
    if (json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    return config;
}

ModelConfig readMixtral(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 8, .theta = 1e6, .epsilon = 1e-5});
    if (json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    config.experts.count = json.integer("num_local_experts", 8);
    config.experts.topK = json.integer("num_experts_per_tok", 2);
    return config;
}

void describeMixtral(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.part == "router")
        weight.names.push_back(withNumbers("layers.{}.mlp.gate.weight", context.name));
    describeExperts(context, "layers.{}.mlp.experts.", weight);
}

} // namespace

const HuggingFaceFamily kMistralFamily{.modelType = "mistral",
                                       .readConfig = readMistral,
                                       .names = kGatedDecoderNames,
                                       .typical = R"({"sliding_window": 4096})"};

const HuggingFaceFamily kMixtralFamily{.modelType = "mixtral",
                                       .readConfig = readMixtral,
                                       .names = kMixtralNames,
                                       .describe = describeMixtral};

} // namespace headscope
