#include "core/model/recurrent/recurrent_config.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kLargest = 1 << 20;

void requireWithin(std::int64_t value, const char* field, std::int64_t largest)
{
    if (value < 1 || value > largest)
        throw Error(fmt::format("{} is {}", field, value), "recurrent model",
                    fmt::format("Choose 1 to {}", largest));
}

} // namespace

void RecurrentConfig::validate() const
{
    requireWithin(vocabularySize, "vocabulary_size", kLargest);
    requireWithin(hidden, "hidden", 1 << 14);
    requireWithin(layers, "layers", 1 << 10);
}

std::vector<ParameterSpec> recurrentLayout(const RecurrentConfig& config)
{
    config.validate();
    std::vector<ParameterSpec> specs;
    std::size_t end = 0;
    const auto add = [&](std::string name, const Shape& shape) {
        specs.push_back({std::move(name), shape, end});
        end += static_cast<std::size_t>(shape.elementCount());
    };
    const std::int64_t width = gatesOf(config.kind) * config.hidden;
    add("tok_emb.weight", {config.vocabularySize, config.hidden});
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string name = fmt::format("h.{}.", layer);
        add(name + "inputs.weight", {width, config.hidden});
        add(name + "states.weight", {width, config.hidden});
        add(name + "bias", {width});
    }
    add("head.weight", {config.vocabularySize, config.hidden});
    add("head.bias", {config.vocabularySize});
    return specs;
}

std::int64_t parameterCount(const RecurrentConfig& config)
{
    const ParameterSpec last = recurrentLayout(config).back();
    return static_cast<std::int64_t>(last.offset) + last.shape.elementCount();
}

RecurrentConfig withParameters(RecurrentConfig config, std::int64_t parameters)
{
    const auto countWith = [&config](std::int64_t hidden) {
        config.hidden = hidden;
        return parameterCount(config);
    };
    std::int64_t hidden = 1;
    while (countWith(hidden) < parameters)
        ++hidden;
    if (hidden > 1 && parameters - countWith(hidden - 1) < countWith(hidden) - parameters)
        --hidden;
    config.hidden = hidden;
    return config;
}

} // namespace headscope
