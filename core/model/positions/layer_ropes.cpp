#include "core/model/positions/layer_ropes.h"

#include <algorithm>

namespace headscope {

namespace {

RopeSettings completed(RopeSettings rope, const ModelConfig& config)
{
    if (rope.originalMaxLen == 0)
        rope.originalMaxLen = config.maxLen;
    return rope;
}

/// turningLength() of one rotation.
std::int64_t lengthThatTurns(const RopeSettings& rope, const ModelConfig& config,
                             std::int64_t tokens)
{
    const std::int64_t original = rope.originalMaxLen > 0 ? rope.originalMaxLen : config.maxLen;
    if (!rope.dependsOnLength() || tokens <= original)
        return 0;
    return rope.scaling == RopeSettings::Scaling::Dynamic ? tokens : original + 1;
}

} // namespace

std::vector<RopeSettings> ropesOf(const ModelConfig& config)
{
    std::vector<RopeSettings> ropes;
    findRopes(config, ropes);
    return ropes;
}

void findRopes(const ModelConfig& config, std::vector<RopeSettings>& ropes)
{
    ropes.clear();
    if (config.layerSettings.empty())
        ropes.push_back(completed(config.rope, config));
    for (const LayerSettings& layer : config.layerSettings) {
        const RopeSettings rope = completed(layer.rope, config);
        if (std::ranges::find(ropes, rope) == ropes.end())
            ropes.push_back(rope);
    }
}

std::vector<std::size_t> layerRopes(const ModelConfig& config)
{
    const std::vector<RopeSettings> ropes = ropesOf(config);
    std::vector<std::size_t> indices;
    for (const LayerSettings& layer : config.layerSettings)
        indices.push_back(static_cast<std::size_t>(
            std::ranges::find(ropes, completed(layer.rope, config)) - ropes.begin()));
    return ropes.size() > 1 ? indices : std::vector<std::size_t>();
}

std::int64_t turningLength(const ModelConfig& config, std::int64_t tokens)
{
    if (config.ropeDimensions() == 0)
        return 0;
    if (config.layerSettings.empty())
        return lengthThatTurns(config.rope, config, tokens);
    std::int64_t length = 0;
    for (const LayerSettings& layer : config.layerSettings)
        length = std::max(length, lengthThatTurns(layer.rope, config, tokens));
    return length;
}

} // namespace headscope
