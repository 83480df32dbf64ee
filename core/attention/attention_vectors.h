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
using LooseFloatVector = float __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

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
    return *reinterpret_cast<const LooseFloatVector*>(values);
}

HEADSCOPE_INLINE void store(float* values, FloatVector vector)
{
    *reinterpret_cast<LooseFloatVector*>(values) = vector;
}

HEADSCOPE_INLINE IntVector laneNumbers()
{
    IntVector numbers{};
    for (int lane = 0; lane < kLanes; ++lane)
        numbers[lane] = lane;
    return numbers;
}

/// The first `count` lanes from memory, the others 0.
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

/// body(first, count) for each vector of `size` values; count < kLanes only for the last.
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

/// b where it is NaN.
HEADSCOPE_INLINE FloatVector maximum(FloatVector a, FloatVector b)
{
    return a > b ? a : b;
}

template<int Width>
HEADSCOPE_INLINE FloatVector rotated(FloatVector vector)
{
    IntVector lanes = laneNumbers();
    for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = static_cast<std::int32_t>((lane + Width) % kLanes);
    return __builtin_shuffle(vector, lanes);
}

HEADSCOPE_INLINE float sumOf(FloatVector v)
{
#if defined(__AVX512F__)
    v += rotated<8>(v);
#endif
#if defined(__AVX2__)
    v += rotated<4>(v);
#endif
    v += rotated<2>(v);
    v += rotated<1>(v);
    return v[0];
}

HEADSCOPE_INLINE float maximumOf(FloatVector v)
{
#if defined(__AVX512F__)
    v = maximum(v, rotated<8>(v));
#endif
#if defined(__AVX2__)
    v = maximum(v, rotated<4>(v));
#endif
    v = maximum(v, rotated<2>(v));
    v = maximum(v, rotated<1>(v));
    return v[0];
}

/// 2^x for x < 128, relative error below 1e-7, 0 below -126.5; NaN stays NaN. x = n + f with
/// |f| <= 1/2; minimax polynomial for 2^f; n into the exponent bits of a factor.
HEADSCOPE_INLINE FloatVector exp2Of(FloatVector x)
{
    x = maximum(broadcast(-127.0F), x);
    const FloatVector shifted = x + (12582912.0F + 127.0F); // 1.5 * 2^23: rounds to an integer
    const FloatVector f = x - (shifted - (12582912.0F + 127.0F));
    FloatVector p = f * 0.00132647273F + 0.00967151299F;
    p = p * f + 0.0555073358F;
    p = p * f + 0.240222424F;
    p = p * f + 0.693147004F;
    p = p * f + 1.0F;
    return p * reinterpret_cast<FloatVector>(reinterpret_cast<IntVector>(shifted) << 23);
}

/// rows[i][j] becomes rows[j][i]: interleaving the halves log2(kLanes) times.
HEADSCOPE_INLINE void transpose(FloatVector (&rows)[kLanes])
{
    IntVector low{};
    IntVector high{};
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::int32_t source = lane / 2 + (lane % 2) * static_cast<std::int32_t>(kLanes);
        low[lane] = source;
        high[lane] = source + static_cast<std::int32_t>(kLanes / 2);
    }
    FloatVector other[kLanes];
#pragma GCC unroll 4
    for (int width = 1; width < kLanes; width *= 2) {
#pragma GCC unroll 8
        for (int i = 0; i < kLanes / 2; ++i) {
            other[2 * i] = __builtin_shuffle(rows[i], rows[i + kLanes / 2], low);
            other[2 * i + 1] = __builtin_shuffle(rows[i], rows[i + kLanes / 2], high);
        }
#pragma GCC unroll 16
        for (int i = 0; i < kLanes; ++i)
            rows[i] = other[i];
    }
}

} // namespace
} // namespace headscope
