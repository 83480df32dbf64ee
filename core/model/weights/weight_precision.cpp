#include "core/model/weights/weight_precision.h"

#include <array>

namespace headscope {

namespace {

constexpr std::array<std::string_view, 3> kNames = {"f32", "f16", "bf16"};

} // namespace

std::string_view nameOf(WeightPrecision precision)
{
    return kNames[static_cast<std::size_t>(precision)];
}

std::optional<WeightPrecision> precisionNamed(std::string_view name)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name)
            return static_cast<WeightPrecision>(i);
    return std::nullopt;
}

} // namespace headscope
