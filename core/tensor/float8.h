#pragma once

#include "core/tensor/half.h"

#include <bit>
#include <cstdint>
#include <limits>

// The two 8-bit floats of Micikevicius et al. 2022, "FP8 formats for deep learning".

namespace headscope {

/// Converts E4M3 (bias 7, no infinity, NaN where all bits but the sign are set) to binary32, exactly.
inline float e4m3ToFloat(std::uint8_t code)
{
    const std::uint32_t sign = (code & 0x80U) << 24;
    const std::uint32_t exponent = (code >> 3) & 0xFU;
    const std::uint32_t fraction = code & 7U;
    if ((code & 0x7FU) == 0x7F)
        return std::numeric_limits<float>::quiet_NaN();
    if (exponent != 0)
        return std::bit_cast<float>(sign | (exponent + 120) << 23 | fraction << 20);
    const float subnormal = static_cast<float>(fraction) * 0x1p-9F;
    return sign != 0 ? -subnormal : subnormal;
}

/// Converts E5M2, the upper half of a binary16, to binary32, exactly.
inline float e5m2ToFloat(std::uint8_t code)
{
    return halfToFloat(static_cast<std::uint16_t>(code << 8));
}

} // namespace headscope
