#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

ModelConfig readMistral(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, 8);
    if (json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    return config;
}

} // namespace

const HuggingFaceFamily kMistralFamily{.modelType = "mistral",
                                       .prefix = "model.",
                                       .readConfig = readMistral,
                                       .names = gatedDecoderNames()};

} // namespace headscope
