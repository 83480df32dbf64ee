#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/fused_weights.h"
#include "core/io/hugging_face/gated_decoder.h"
#include "core/io/hugging_face/layer_kinds.h"

namespace headscope {

namespace {

/// True for each layer that rotates queries and keys: "no_rope_layers" has a 1 for those.
std::vector<bool> rotatingLayers(const ConfigReader& json, const ModelConfig& config)
{
    const std::int64_t interval = json.positiveInteger("no_rope_layer_interval", 4);
    const std::size_t count = layersOf(config).size();
    std::vector<bool> rotates;
    if (!json.has("no_rope_layers")) {
        for (std::size_t layer = 0; layer < count; ++layer)
            rotates.push_back((static_cast<std::int64_t>(layer) + 1) % interval != 0);
        return rotates;
    }
    for (const std::int64_t rotating : json.integers("no_rope_layers"))
        rotates.push_back(rotating != 0);
    if (rotates.size() != count)
        json.refuse("no_rope_layers", fmt::format("Use a list of {}", count));
    return rotates;
}

ModelConfig readSmolLm3(const ConfigReader& json)
{
    ModelConfig config = readGatedDecoder(json, {.keyHeads = 4, .theta = 2e6, .tied = true});
    readBiases(json, config);
    const std::vector<bool> rotates = rotatingLayers(json, config);
    std::vector<bool> local(rotates.size());
    if (json.flag("use_sliding_window", false) && json.has("sliding_window"))
        local = localLayers(json, config, [&](std::int64_t layer) {
            return !rotates[static_cast<std::size_t>(layer)];
        });
    std::vector<LayerSettings> layers = layersOf(config);
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        layers[layer].rotates = rotates[layer];
        if (local[layer])
            layers[layer].window = json.integer("sliding_window");
    }
    setLayers(config, std::move(layers));
    return config;
}

} // namespace

const HuggingFaceFamily kSmolLm3Family{.modelType = "smollm3",
                                       .readConfig = readSmolLm3,
                                       .names = kGatedDecoderNames,
                                       .describe = describeBiases};

} // namespace headscope
