#pragma once

#include <optional>
#include <string_view>

namespace headscope {

/// Precision of weights that a forward pass multiplies with. The first keeps them as they are; the
/// others round floats to 16 bits, to the nearest number, ties to even, so that a pass reads half as
/// much memory.
enum class WeightPrecision {
    Float32,
    Float16,  ///< IEEE 754 binary16: 11 significant bits, up to 65504.
    BFloat16, ///< The upper half of a float: 8 significant bits, any magnitude.
};

/// Name on the command line and in files: "f32", "f16", "bf16".
std::string_view nameOf(WeightPrecision precision);

/// The precision of that name, if there is one.
std::optional<WeightPrecision> precisionNamed(std::string_view name);

} // namespace headscope
