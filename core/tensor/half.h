#pragma once

#include <bit>
#include <cstdint>

namespace headscope {

/// Converts IEEE 754 binary16 to binary32, exactly.
inline float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = (half & 0x8000U) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
    if (exponent != 0)
        return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float subnormal = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -subnormal : subnormal;
}

inline float bfloatToFloat(std::uint16_t bfloat)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

} // namespace headscope
