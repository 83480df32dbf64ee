#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kGraniteNames = gatedDecoderNames();

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

} // namespace

const HuggingFaceFamily kGraniteFamily{
    .modelType = "granite",
    .prefix = "model.",
    .readConfig = readGranite,
    .names = kGraniteNames,
    .describe = describeBiases,
    .typical =
        R"({"embedding_multiplier": 12.0, "residual_multiplier": 0.22,
    "attention_multiplier": 0.015625, "logits_scaling": 8.0})"};

} // namespace headscope
