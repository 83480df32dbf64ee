#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

ModelConfig readLlama(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, 0);
    const bool attentionBias = json.flag("attention_bias", false);
    config.bias = attentionBias || json.flag("mlp_bias", false);
    config.queryKeyValueBias = attentionBias;
    return config;
}

void describeLlama(const WeightContext& context, StoredWeight& weight)
{
    const std::string& part = context.name.part;
    dropOutputBias(context, weight);
    weight.optional =
        context.name.kind == "bias" && (part == "gate" || part == "up" || part == "down");
}

} // namespace

const HuggingFaceFamily kLlamaFamily{.modelType = "llama",
                                     .prefix = "model.",
                                     .readConfig = readLlama,
                                     .names = gatedDecoderNames(),
                                     .describe = describeLlama};

} // namespace headscope
