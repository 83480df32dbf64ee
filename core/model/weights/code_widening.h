#pragma once

// Codes of core/tensor/block_codes.h as floats. For sources that headscope_isa_sources compiles
// several times, without contraction of product and sum.

#include "core/ops/kernels/simd.h"
#include "core/tensor/codebook_blocks.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace headscope {
namespace {

using Shorts = unsigned short __attribute__((vector_size(kLanes * 2)));
using Words = std::uint32_t __attribute__((vector_size(kLanes * 4)));

// The compiler would widen lane by lane. The masked forms avoid a warning of gcc 12.
HEADSCOPE_INLINE IntVector widened(const signed char* codes)
{
#if defined(__AVX512F__)
    return reinterpret_cast<IntVector>(_mm512_maskz_cvtepi8_epi32(
        0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(codes))));
#elif defined(__AVX2__)
    return reinterpret_cast<IntVector>(
        _mm256_cvtepi8_epi32(_mm_loadu_si64(reinterpret_cast<const void*>(codes))));
#else
    return IntVector{codes[0], codes[1], codes[2], codes[3]};
#endif
}

HEADSCOPE_INLINE Words widened(Shorts shorts)
{
#if defined(__AVX512F__)
    return reinterpret_cast<Words>(
        _mm512_maskz_cvtepu16_epi32(0xFFFF, reinterpret_cast<__m256i>(shorts)));
#elif defined(__AVX2__)
    return reinterpret_cast<Words>(_mm256_cvtepu16_epi32(reinterpret_cast<__m128i>(shorts)));
#else
    return __builtin_convertvector(shorts, Words);
#endif
}

/// Computes scale * code, + minimum where the format has one, for kLanes codes from `first` on.
template<BlockFormat Format>
HEADSCOPE_INLINE FloatVector valuesOf(const BlockCodes& block, std::int64_t first)
{
    FloatVector value = __builtin_convertvector(widened(block.codes + first), FloatVector) *
                        block.scales[first / kCodesPerScale];
    if constexpr (hasMinimum(Format))
        value += block.minimums[first / kCodesPerScale];
    return value;
}

} // namespace
} // namespace headscope
