#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kLlamaNames = gatedDecoderNames();

ModelConfig readLlama(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json);
    readBiases(json, config);
    return config;
}

} // namespace

const HuggingFaceFamily kLlamaFamily{.modelType = "llama",
                                     .prefix = "model.",
                                     .readConfig = readLlama,
                                     .names = kLlamaNames,
                                     .describe = describeBiases};

} // namespace headscope
