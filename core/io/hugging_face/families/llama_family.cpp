#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

ModelConfig readLlama(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json);
    readBiases(json, config);
    return config;
}

} // namespace

const HuggingFaceFamily kLlamaFamily{.modelType = "llama",
                                     .readConfig = readLlama,
                                     .names = kGatedDecoderNames,
                                     .describe = describeBiases};

} // namespace headscope
