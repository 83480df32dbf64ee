#include "core/io/hugging_face/layer_kinds.h"

#include "core/model/config/config_checks.h"

#include <algorithm>

namespace headscope {

namespace {

const std::map<std::string, bool> kLayerTypes{{"full_attention", false},
                                              {"sliding_attention", true}};

bool isPossible(std::int64_t layers)
{
    return layers >= 0 && layers <= kMaxLayers;
}

} // namespace

std::vector<bool> localLayers(const ConfigReader& json, const ModelConfig& config,
                              const std::function<bool(std::int64_t)>& isLocal)
{
    std::vector<bool> local;
    if (!isPossible(config.layers))
        return local;
    if (!json.has("layer_types")) {
        for (std::int64_t layer = 0; layer < config.layers; ++layer)
            local.push_back(isLocal(layer));
        return local;
    }
    for (const std::string& type : json.texts("layer_types", config.layers)) {
        const auto found = kLayerTypes.find(type);
        if (found == kLayerTypes.end())
            json.refuse("layer_types", "Supported: \"full_attention\", \"sliding_attention\"");
        local.push_back(found->second);
    }
    return local;
}

std::vector<LayerSettings> layersOf(const ModelConfig& config)
{
    if (!isPossible(config.layers))
        return {};
    std::vector<LayerSettings> layers;
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
        layers.push_back(config.layer(layer));
    return layers;
}

void setLayers(ModelConfig& config, std::vector<LayerSettings> layers)
{
    config.layerSettings.clear();
    if (layers.empty())
        return;
    const LayerSettings& first = layers.front();
    const bool alike =
        std::ranges::all_of(layers, [&](const LayerSettings& layer) { return layer == first; });
    if (!alike || !first.rotates || !first.normsAttention ||
        first.hasExperts != (config.experts.count > 0)) {
        config.layerSettings = std::move(layers);
        return;
    }
    config.window = first.window;
    config.rope = first.rope;
    config.dFf = first.dFf;
}

void setWindows(ModelConfig& config, const std::vector<bool>& local, std::int64_t window,
                const std::optional<RopeSettings>& rope)
{
    std::vector<LayerSettings> layers = layersOf(config);
    for (std::size_t layer = 0; layer < std::min(layers.size(), local.size()); ++layer) {
        if (!local[layer])
            continue;
        layers[layer].window = window;
        layers[layer].rope = rope.value_or(layers[layer].rope);
    }
    setLayers(config, std::move(layers));
}

void setLocalRotation(ModelConfig& config, const std::vector<bool>& local, std::int64_t window)
{
    std::vector<LayerSettings> layers = layersOf(config);
    for (std::size_t layer = 0; layer < std::min(layers.size(), local.size()); ++layer) {
        layers[layer].rotates = local[layer];
        if (local[layer])
            layers[layer].window = window;
    }
    setLayers(config, std::move(layers));
}

void readQwenWindows(const ConfigReader& json, ModelConfig& config)
{
    if (!json.flag("use_sliding_window", false) || !json.has("sliding_window"))
        return;
    const std::int64_t first = json.integer("max_window_layers", 28);
    setWindows(config,
               localLayers(json, config, [&](std::int64_t layer) { return layer >= first; }),
               json.integer("sliding_window"));
}

void readQwenExpertLayers(const ConfigReader& json, ModelConfig& config)
{
    const std::int64_t step = json.positiveInteger("decoder_sparse_step", 1);
    std::vector<std::int64_t> dense;
    if (json.has("mlp_only_layers"))
        dense = json.integers("mlp_only_layers");
    std::vector<LayerSettings> layers = layersOf(config);
    for (std::int64_t layer = 0; layer < std::ssize(layers); ++layer)
        layers[static_cast<std::size_t>(layer)].hasExperts =
            (layer + 1) % step == 0 && std::ranges::find(dense, layer) == dense.end();
    setLayers(config, std::move(layers));
}

} // namespace headscope
