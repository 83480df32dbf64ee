#pragma once

// Sums of products of codes, for the kernels of integer_linear_kernels.h. For sources that
// headscope_isa_sources compiles several times.

#include "core/model/weights/integer_codes.h"

namespace headscope {
namespace {

/// Products of each two neighbouring codes, in 16 bits. |in| is at most 127, so that they are exact
/// for codes up to 128, and 16 bits hold the sum of as many of them as exactPairs() says.
template<class Blocks>
HEADSCOPE_INLINE __m256i productsOfPairs(__m256i weights, __m256i in)
{
    if constexpr (Blocks::isSigned) {
        in = _mm256_sign_epi8(in, weights);
        weights = _mm256_abs_epi8(weights); // -128 becomes 128, unsigned
    }
    return _mm256_maddubs_epi16(weights, in);
}

template<class Blocks>
constexpr int exactPairs()
{
    return 32767 / (2 * 127 * Blocks::largest);
}

/// Steps of four codes of which 16 bits hold the sums of productsOfPairs, each less the offset. They
/// may wrap on the way.
template<class Blocks>
constexpr int stepsThatFit()
{
    const int above = Blocks::largest - Blocks::offset;
    return 32767 / (2 * 127 * (above > Blocks::offset ? above : Blocks::offset));
}

HEADSCOPE_INLINE __m256i sumsOfPairs(__m256i values)
{
    return _mm256_madd_epi16(values, _mm256_set1_epi16(1));
}

#if defined(__AVXVNNI__) || defined(__AVX512VNNI__)
constexpr bool kHasVnni = true;

/// Adds the products of each four neighbouring codes to the lanes of `sum`.
template<class Blocks>
HEADSCOPE_INLINE __m256i addProducts(__m256i sum, __m256i weights, __m256i in)
{
    if constexpr (Blocks::isSigned) {
        in = _mm256_sign_epi8(in, weights);
        weights = _mm256_abs_epi8(weights);
    }
#if defined(__AVXVNNI__)
    return _mm256_dpbusd_avx_epi32(sum, weights, in);
#else
    return _mm256_dpbusd_epi32(sum, weights, in);
#endif
}
#else
constexpr bool kHasVnni = false;

template<class Blocks>
HEADSCOPE_INLINE __m256i addProducts(__m256i sum, __m256i weights, __m256i in)
{
    return _mm256_add_epi32(sum, sumsOfPairs(productsOfPairs<Blocks>(weights, in)));
}
#endif

/// [a a b b] in each half, of [a a a a] and [b b b b].
template<int Bits>
HEADSCOPE_INLINE __m256i foldTwo(__m256i a, __m256i b)
{
    const __m256i low = _mm256_unpacklo_epi64(a, b);
    const __m256i high = _mm256_unpackhi_epi64(a, b);
    return Bits == 16 ? _mm256_add_epi16(low, high) : _mm256_add_epi32(low, high);
}

/// [a b c d] in each half, of [a a b b] and [c c d d].
template<int Bits>
HEADSCOPE_INLINE __m256i foldFour(__m256i ab, __m256i cd)
{
    const __m256 a = _mm256_castsi256_ps(ab);
    const __m256 c = _mm256_castsi256_ps(cd);
    const __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(a, c, 0x88));
    const __m256i odd = _mm256_castps_si256(_mm256_shuffle_ps(a, c, 0xDD));
    return Bits == 16 ? _mm256_add_epi16(even, odd) : _mm256_add_epi32(even, odd);
}

/// Products of four columns of 32 codes with `in`: four sums of the first 16, then of the others.
template<class Blocks>
HEADSCOPE_INLINE __m256i sumsOfHalves(const __m256i* codes, __m256i in)
{
    __m256i sums[4];
    if constexpr (kHasVnni || exactPairs<Blocks>() < 2) {
#pragma GCC unroll 16
        for (int c = 0; c < 4; ++c)
            sums[c] = addProducts<Blocks>(_mm256_setzero_si256(), codes[c], in);
        return foldFour<32>(foldTwo<32>(sums[0], sums[1]), foldTwo<32>(sums[2], sums[3]));
    }
#pragma GCC unroll 16
    for (int c = 0; c < 4; ++c)
        sums[c] = productsOfPairs<Blocks>(codes[c], in);
    const __m256i ab = foldTwo<16>(sums[0], sums[1]);
    const __m256i cd = foldTwo<16>(sums[2], sums[3]);
    if constexpr (exactPairs<Blocks>() < 4)
        return foldFour<32>(sumsOfPairs(ab), sumsOfPairs(cd));
    return sumsOfPairs(foldFour<16>(ab, cd));
}

} // namespace
} // namespace headscope
