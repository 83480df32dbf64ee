#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

ModelConfig readQwen2(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, 32);
    config.queryKeyValueBias = true;
    if (!json.flag("use_sliding_window", false) || !json.has("sliding_window"))
        return config;
    const std::int64_t first = json.integer("max_window_layers", 28);
    if (first > 0 && first < config.layers)
        json.refuse("max_window_layers", "Only one kind of attention in all layers is supported");
    if (first <= 0)
        config.window = json.integer("sliding_window");
    return config;
}

} // namespace

const HuggingFaceFamily kQwen2Family{.modelType = "qwen2",
                                     .prefix = "model.",
                                     .readConfig = readQwen2,
                                     .names = gatedDecoderNames()};

} // namespace headscope
