#pragma once

// Vectors as wide as one register of the instruction set that the including source is built for.
// For sources of headscope_isa_sources only: internal linkage, no library code.

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace headscope {
namespace {

#define HEADSCOPE_INLINE inline __attribute__((always_inline))

// kRows x kColumns accumulators, kColumns operands and a broadcast fit the registers.
#if defined(__AVX512F__)
constexpr std::int64_t kLanes = 16;
constexpr int kRows = 12;
#elif defined(__AVX2__)
constexpr std::int64_t kLanes = 8;
constexpr int kRows = 6;
#else
constexpr std::int64_t kLanes = 4;
constexpr int kRows = 4;
#endif
constexpr int kColumns = 2;

using FloatVector = float __attribute__((vector_size(kLanes * 4)));
using IntVector = std::int32_t __attribute__((vector_size(kLanes * 4)));
/// Vector at any float address. The attributes belong to the name: clang ignores `aligned` after
/// the type.
using UnalignedFloatVector __attribute__((aligned(4), may_alias)) = FloatVector;

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

HEADSCOPE_INLINE FloatVector broadcast(float value)
{
    return value - FloatVector{};
}

HEADSCOPE_INLINE FloatVector load(const float* values)
{
    return *reinterpret_cast<const UnalignedFloatVector*>(values);
}

HEADSCOPE_INLINE void store(float* values, FloatVector vector)
{
    *reinterpret_cast<UnalignedFloatVector*>(values) = vector;
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

/// Calls body(first, count) for each vector of `size` values; count < kLanes only for the last.
template<class Body>
HEADSCOPE_INLINE void forEachVector(std::int64_t size, Body body)
{
    std::int64_t first = 0;
    for (; first + kLanes <= size; first += kLanes)
        body(first, kLanes);
    if (first < size)
        body(first, size - first);
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

/// Lane-wise maximum; returns b where it is NaN.
HEADSCOPE_INLINE FloatVector maximum(FloatVector a, FloatVector b)
{
    return a > b ? a : b;
}

} // namespace
} // namespace headscope
