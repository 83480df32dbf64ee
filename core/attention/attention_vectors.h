#pragma once

// The vectors of simd.h and what the kernels of attention need beside them. For sources of
// headscope_isa_sources only: internal linkage, no library code.

#include "core/ops/kernels/simd.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace headscope {
namespace {

// kRows x kColumns accumulators, kColumns operands and a broadcast fit the registers.
#if defined(__AVX512F__)
constexpr int kRows = 12;
#elif defined(__AVX2__)
constexpr int kRows = 6;
#else
constexpr int kRows = 4;
#endif
constexpr int kColumns = 2;

constexpr float kLog2E = 1.44269504088896341F;
constexpr float kLn2 = 0.693147180559945309F;
constexpr float kMinusInfinity = -__builtin_inff();

constexpr std::int64_t roundUp(std::int64_t count, std::int64_t step)
{
    return (count + step - 1) / step * step;
}

HEADSCOPE_INLINE std::int64_t smaller(std::int64_t a, std::int64_t b)
{
    return a < b ? a : b;
}

HEADSCOPE_INLINE std::int64_t larger(std::int64_t a, std::int64_t b)
{
    return a > b ? a : b;
}

HEADSCOPE_INLINE IntVector laneNumbers()
{
    IntVector numbers{};
    for (int lane = 0; lane < kLanes; ++lane)
        numbers[lane] = lane;
    return numbers;
}

/// Loads the first `count` lanes from memory and sets the others to 0.
HEADSCOPE_INLINE FloatVector loadSome(const float* values, std::int64_t count)
{
#if defined(__AVX512F__)
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << count) - 1U), values);
#elif defined(__AVX2__)
    const IntVector wanted = laneNumbers() < static_cast<std::int32_t>(count);
    return _mm256_maskload_ps(values, reinterpret_cast<__m256i>(wanted));
#else
    FloatVector vector{};
    for (std::int64_t lane = 0; lane < count; ++lane)
        vector[lane] = values[lane];
    return vector;
#endif
}

HEADSCOPE_INLINE void storeSome(float* values, FloatVector vector, std::int64_t count)
{
#if defined(__AVX512F__)
    _mm512_mask_storeu_ps(values, static_cast<__mmask16>((1U << count) - 1U), vector);
#elif defined(__AVX2__)
    const IntVector wanted = laneNumbers() < static_cast<std::int32_t>(count);
    _mm256_maskstore_ps(values, reinterpret_cast<__m256i>(wanted), vector);
#else
    for (std::int64_t lane = 0; lane < count; ++lane)
        values[lane] = vector[lane];
#endif
}

HEADSCOPE_INLINE FloatVector loadUpTo(const float* values, std::int64_t count)
{
    return count == kLanes ? load(values) : loadSome(values, count);
}

HEADSCOPE_INLINE void storeUpTo(float* values, FloatVector vector, std::int64_t count)
{
    if (count == kLanes)
        store(values, vector);
    else
        storeSome(values, vector, count);
}

} // namespace
} // namespace headscope
