#pragma once

// Summation in the kernels of mapped_linear_kernels.h, and its end: the lanes of a register become
// one output. For sources that headscope_isa_sources compiles several times.

#include "core/model/weights/mapped_linear_kernels.h"
#include "core/ops/kernels/simd.h"

#if defined(__FMA__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace headscope {
namespace {

using FourFloats = float __attribute__((vector_size(16)));
using UnalignedFourFloats __attribute__((aligned(4), may_alias)) = FourFloats;

/// Multiply-add, rounded once wherever supported, so that codes and floats, one row and many, give
/// the same bits however much a compiler fuses by itself.
HEADSCOPE_INLINE FloatVector multiplyAdd(FloatVector a, FloatVector b, FloatVector sum)
{
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, sum);
#elif defined(__FMA__)
    return _mm256_fmadd_ps(a, b, sum);
#else
    return a * b + sum;
#endif
}

/// Sums of four registers: repeatedly adds lane l and lane l + half of the rest.
HEADSCOPE_INLINE FourFloats sumsOfFour(const FloatVector* v)
{
#if defined(__AVX512F__)
    // [a0..a7 | b0..b7], [c | d], then [a0..a3 | b | c | d]
    FloatVector halves[2];
    for (int i = 0; i < 2; ++i)
        halves[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17,
                                            18, 19, 20, 21, 22, 23) +
                    __builtin_shufflevector(v[2 * i], v[2 * i + 1], 8, 9, 10, 11, 12, 13, 14, 15,
                                            24, 25, 26, 27, 28, 29, 30, 31);
    const FloatVector quarters = __builtin_shufflevector(halves[0], halves[1], 0, 1, 2, 3, 8, 9, 10,
                                                         11, 16, 17, 18, 19, 24, 25, 26, 27) +
                                 __builtin_shufflevector(halves[0], halves[1], 4, 5, 6, 7, 12, 13,
                                                         14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const FloatVector pairs =
        quarters + __builtin_shufflevector(quarters, quarters, 2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10,
                                           11, 14, 15, 14, 15);
    const FloatVector all = pairs + __builtin_shufflevector(pairs, pairs, 1, 1, 1, 1, 5, 5, 5, 5, 9,
                                                            9, 9, 9, 13, 13, 13, 13);
    return __builtin_shufflevector(all, all, 0, 4, 8, 12);
#else
    FourFloats part[4];
    for (int i = 0; i < 4; ++i) {
#if defined(__AVX__)
        part[i] = __builtin_shufflevector(v[i], v[i], 0, 1, 2, 3) +
                  __builtin_shufflevector(v[i], v[i], 4, 5, 6, 7);
#else
        part[i] = v[i];
#endif
    }
    const FourFloats ab = __builtin_shufflevector(part[0], part[1], 0, 1, 4, 5) +
                          __builtin_shufflevector(part[0], part[1], 2, 3, 6, 7);
    const FourFloats cd = __builtin_shufflevector(part[2], part[3], 0, 1, 4, 5) +
                          __builtin_shufflevector(part[2], part[3], 2, 3, 6, 7);
    return __builtin_shufflevector(ab, cd, 0, 2, 4, 6) +
           __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
#endif
}

HEADSCOPE_INLINE void storeSums(const RowProduct& p, std::int64_t row, std::int64_t column,
                                FourFloats sums)
{
    float* const out = p.out + row * p.outStride + column;
    if (column + kTileColumns <= p.columns) {
        if (p.bias != nullptr)
            sums += *reinterpret_cast<const UnalignedFourFloats*>(p.bias + column);
        *reinterpret_cast<UnalignedFourFloats*>(out) = sums;
        return;
    }
    for (std::int64_t c = 0; column + c < p.columns; ++c)
        out[c] = p.bias != nullptr ? sums[c] + p.bias[column + c] : sums[c];
}

/// Stores up to two rows of two columns each.
HEADSCOPE_INLINE void storePairs(const RowProduct& p, std::int64_t row, std::int64_t column,
                                 FourFloats sums)
{
    float* out = p.out + row * p.outStride + column;
    const bool second = column + 1 < p.columns;
    if (p.bias != nullptr) {
        const float bias = second ? p.bias[column + 1] : 0.0F;
        sums += FourFloats{p.bias[column], bias, p.bias[column], bias};
    }
    out[0] = sums[0];
    if (second)
        out[1] = sums[1];
    if (row + 1 == p.rows)
        return;
    out += p.outStride;
    out[0] = sums[2];
    if (second)
        out[1] = sums[3];
}

} // namespace
} // namespace headscope
