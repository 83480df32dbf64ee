#pragma once

// Vectors as wide as one register of the instruction set that the including source is built for
// (wider ones would spill to memory). For sources that headscope_isa_sources compiles several
// times. Everything here has internal linkage and uses no library code, so that no copy built for
// one machine leaks into another.

#include <cstdint>

namespace headscope {
namespace {

#define HEADSCOPE_INLINE inline __attribute__((always_inline))
#define HEADSCOPE_LAMBDA __attribute__((always_inline))

#if defined(__AVX512F__)
constexpr std::int64_t kLanes = 16;
#elif defined(__AVX2__)
constexpr std::int64_t kLanes = 8;
#else
constexpr std::int64_t kLanes = 4;
#endif

using FloatVector = float __attribute__((vector_size(kLanes * 4)));
using IntVector = std::int32_t __attribute__((vector_size(kLanes * 4)));
/// Vector at any float address. The attributes belong to the name: clang ignores `aligned` after
/// the type.
using UnalignedFloatVector __attribute__((aligned(4), may_alias)) = FloatVector;

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

/// Loads the first `count` lanes from memory and sets the others to `rest`.
HEADSCOPE_INLINE FloatVector load(const float* values, std::int64_t count, float rest = 0.0F)
{
    if (count == kLanes)
        return load(values);
    FloatVector vector = broadcast(rest);
    for (std::int64_t lane = 0; lane < count; ++lane)
        vector[lane] = values[lane];
    return vector;
}

HEADSCOPE_INLINE void store(float* values, FloatVector vector, std::int64_t count)
{
    if (count == kLanes) {
        store(values, vector);
        return;
    }
    for (std::int64_t lane = 0; lane < count; ++lane)
        values[lane] = vector[lane];
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

/// Lane-wise maximum; returns b where it is NaN.
HEADSCOPE_INLINE FloatVector maximum(FloatVector a, FloatVector b)
{
    return a > b ? a : b;
}

HEADSCOPE_INLINE FloatVector minimum(FloatVector a, FloatVector b)
{
    return a < b ? a : b;
}

HEADSCOPE_INLINE float sum(FloatVector v)
{
    constexpr int half = static_cast<int>(kLanes / 2);
    float total[half];
    for (int lane = 0; lane < half; ++lane)
        total[lane] = v[lane] + v[lane + half];
    for (int width = half / 2; width > 0; width /= 2) {
        for (int lane = 0; lane < width; ++lane)
            total[lane] += total[lane + width];
    }
    return total[0];
}

HEADSCOPE_INLINE float maximum(FloatVector v)
{
    float largest = v[0];
    for (int lane = 1; lane < kLanes; ++lane)
        largest = v[lane] > largest ? v[lane] : largest;
    return largest;
}

/// Exponential e^x, relative error about 2e-7: x = n ln 2 + f with |f| <= ln 2 / 2, Taylor-like
/// minimax polynomial for e^f (Cephes, Moshier 1992), n into the exponent bits. 0 below -87.3; NaN
/// is preserved.
HEADSCOPE_INLINE FloatVector exponential(FloatVector x)
{
    const FloatVector clamped = minimum(maximum(broadcast(-87.3F), x), broadcast(88.7F));
    const FloatVector shifted = clamped * 1.44269504F + 12582912.0F; // 1.5 * 2^23 rounds to integer
    const FloatVector n = shifted - 12582912.0F;
    const FloatVector f = clamped - n * 0.693359375F + n * 2.12194440e-4F;
    FloatVector p = f * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * f + 8.3334519073e-3F;
    p = p * f + 4.1665795894e-2F;
    p = p * f + 1.6666665459e-1F;
    p = p * f + 5.0000001201e-1F;
    p = p * f * f + f + 1.0F;
    const IntVector exponent = reinterpret_cast<IntVector>(shifted) << 23;
    const FloatVector result =
        reinterpret_cast<FloatVector>(reinterpret_cast<IntVector>(p) + exponent);
    return x < -87.3F ? FloatVector{} : (x == x ? result : x);
}

} // namespace
} // namespace headscope
