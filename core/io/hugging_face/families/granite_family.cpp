#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

ModelConfig readGranite(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json);
    readBiases(json, config);
    config.embeddingScale = json.number("embedding_multiplier", 1.0);
    config.residualScale = json.number("residual_multiplier", 1.0);
    config.attentionScale = json.number("attention_multiplier", 1.0);
    const double divisor = json.number("logits_scaling", 1.0);
    if (!(divisor > 0.0))
        json.refuse("logits_scaling", "Use a number above 0");
    config.headScale = 1.0 / divisor;
    return config;
}

const PartNames kGraniteMoeNames =
    gatedDecoderNames({{"router", "layers.{}.block_sparse_moe.router.layer"}});

/// Weights of the chosen experts are a softmax over those alone.
ModelConfig readGraniteMoe(const ConfigReader& json)
{
    json.requireFlag("attention_bias", false);
    ModelConfig config = readGranite(json);
    config.experts.count = json.integer("num_local_experts", 8);
    config.experts.topK = json.integer("num_experts_per_tok", 2);
    return config;
}

/// Names of older and of newer files.
void describeGraniteMoe(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.part == "router")
        weight.names.push_back(
            withNumbers("layers.{}.block_sparse_moe.router.weight", context.name));
    describeExperts(context, "layers.{}.block_sparse_moe.input_linear.weight",
                    "layers.{}.block_sparse_moe.output_linear.weight", weight);
    describeExperts(context, "layers.{}.block_sparse_moe.experts.", weight);
}

} // namespace

const HuggingFaceFamily kGraniteFamily{
    .modelType = "granite",
    .readConfig = readGranite,
    .names = kGatedDecoderNames,
    .describe = describeBiases,
    .typical =
        R"({"embedding_multiplier": 12.0, "residual_multiplier": 0.22,
    "attention_multiplier": 0.015625, "logits_scaling": 8.0})"};

const HuggingFaceFamily kGraniteMoeFamily{
    .modelType = "granitemoe",
    .readConfig = readGraniteMoe,
    .names = kGraniteMoeNames,
    .describe = describeGraniteMoe,
    .typical =
        R"({"embedding_multiplier": 12.0, "residual_multiplier": 0.22, "num_local_experts": 32,
    "num_experts_per_tok": 8, "attention_multiplier": 0.015625, "logits_scaling": 6.0})"};

} // namespace headscope
