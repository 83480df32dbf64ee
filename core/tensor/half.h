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

/// Rounds to the nearest binary16, ties to even; beyond 65504 (and its rounding) to infinity.
inline std::uint16_t floatToHalf(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U)
        return static_cast<std::uint16_t>(sign | 0x7E00U); // NaN
    if (magnitude >= 0x477FF000U)
        return static_cast<std::uint16_t>(sign | 0x7C00U); // rounds to 65536 or is larger
    if (magnitude >= 0x38800000U) {
        const std::uint32_t odd = (magnitude >> 13) & 1U;
        return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000U + 0xFFFU + odd) >> 13));
    }
    // Subnormal: the addition rounds to multiples of 2^-24, which the sum has in its last bit.
    const float sum = std::bit_cast<float>(magnitude) + 0.5F;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3F000000U));
}

/// Rounds to the nearest bfloat16, ties to even.
inline std::uint16_t floatToBfloat(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U); // NaN stays one
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

inline float bfloatToFloat(std::uint16_t bfloat)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

} // namespace headscope
