#pragma once

#include "core/attention/attention_vectors.h"

// Functions of whole vectors. Same rules as attention_vectors.h.

namespace headscope {
namespace {

/// Permutes lanes: lane i is lane lanes[i] of the two concatenated vectors.
HEADSCOPE_INLINE FloatVector shuffled(FloatVector first, FloatVector second, IntVector lanes)
{
#if defined(__clang__) // clang shuffles by constants only
    FloatVector result{};
    for (int lane = 0; lane < kLanes; ++lane)
        result[lane] = lanes[lane] < kLanes ? first[lanes[lane]] : second[lanes[lane] - kLanes];
    return result;
#else
    return __builtin_shuffle(first, second, lanes);
#endif
}

template<int Width>
HEADSCOPE_INLINE FloatVector rotated(FloatVector vector)
{
    IntVector lanes = laneNumbers();
    for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = static_cast<std::int32_t>((lane + Width) % kLanes);
    return shuffled(vector, vector, lanes);
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

/// Power 2^x for x < 128, relative error below 1e-7, 0 below -126.5; NaN is preserved. x = n + f
/// with |f| <= 1/2; minimax polynomial for 2^f; n into the exponent bits of a factor.
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

/// Transposes rows[i][j] to rows[j][i], interleaving the halves log2(kLanes) times.
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
            other[2 * i] = shuffled(rows[i], rows[i + kLanes / 2], low);
            other[2 * i + 1] = shuffled(rows[i], rows[i + kLanes / 2], high);
        }
#pragma GCC unroll 16
        for (int i = 0; i < kLanes; ++i)
            rows[i] = other[i];
    }
}

/// Hyperbolic tangent: polynomial below 0.625 (Cephes, Moshier 1992), else 1 - 2 / (e^2|x| + 1).
HEADSCOPE_INLINE FloatVector tanhOf(FloatVector x)
{
    const FloatVector size = x < 0.0F ? -x : x;
    const FloatVector capped = size > 10.0F ? broadcast(10.0F) : size;
    FloatVector large = 1.0F - 2.0F / (exp2Of(capped * (2.0F * kLog2E)) + 1.0F);
    large = x < 0.0F ? -large : large;
    const FloatVector square = x * x;
    FloatVector p = square * -5.70498872745e-3F + 2.06390887954e-2F;
    p = p * square - 5.37397155531e-2F;
    p = p * square + 1.33314422036e-1F;
    p = p * square - 3.33332819422e-1F;
    const FloatVector small = p * square * x + x;
    return size > 0.625F ? large : small;
}

} // namespace
} // namespace headscope
