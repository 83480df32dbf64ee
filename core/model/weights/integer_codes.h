#pragma once

// Blocks of core/tensor/block_format.h as registers of 32 codes, and their scales, for the kernels
// of integer_linear_kernels.h. For sources that headscope_isa_sources compiles several times.

#include "core/ops/kernels/simd.h"
#include "core/tensor/block_codes.h"

#include <immintrin.h>

namespace headscope {
namespace {

HEADSCOPE_INLINE __m128i sixteenBytes(BlockBytes place)
{
    return _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(place));
}

HEADSCOPE_INLINE __m256i thirtyTwoBytes(const void* place)
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(place));
}

HEADSCOPE_INLINE int fourBytes(BlockBytes place)
{
    int bytes = 0;
    __builtin_memcpy(&bytes, place, sizeof(bytes));
    return bytes;
}

/// Expands sixteen bytes to 32 nibbles: the low ones, then the high ones.
HEADSCOPE_INLINE __m256i nibbles(BlockBytes place)
{
    const __m128i bytes = sixteenBytes(place);
    const __m256i both =
        _mm256_inserti128_si256(_mm256_castsi128_si256(bytes), _mm_srli_epi16(bytes, 4), 1);
    return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

/// Expands bit i of four bytes to byte i: 16 or 0.
HEADSCOPE_INLINE __m256i fifthBitsOf(BlockBytes place)
{
    const __m256i bits = _mm256_set1_epi32(fourBytes(place));
    const __m256i spread = _mm256_shuffle_epi8(
        bits, _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303));
    const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, mask), mask);
    return _mm256_and_si256(set, _mm256_set1_epi8(16));
}

/// What formats have in common: see IntegerBlocks.
template<int Largest, int Offset, bool HasMinimum, bool HasHalves = false>
struct CodeTraits
{
    static constexpr int largest = Largest; ///< Largest magnitude of a code.
    static constexpr int offset = Offset;   ///< Subtracted from every code.
    static constexpr bool isSigned = Largest > 127;
    static constexpr bool hasMinimum = HasMinimum;
    static constexpr bool hasHalves = HasHalves; ///< True when 16 codes share a scale, else 32.
};

/// Reader of blocks in groups of 32 codes. Small blocks are one group, with the scale, and the
/// minimum where the format has one, in the first two bytes each. Large ones are eight groups;
/// scales() returns the scale of each (of each 16 codes as [two halves of the block, 8]),
/// minimums() the minimum.
template<BlockFormat Format>
struct IntegerBlocks;

template<>
struct IntegerBlocks<BlockFormat::Q8_0> : CodeTraits<128, 0, false>
{
    template<int>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return thirtyTwoBytes(block + 2);
    }
};

template<>
struct IntegerBlocks<BlockFormat::Q4_0> : CodeTraits<15, 8, false>
{
    template<int>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return nibbles(block + 2);
    }
};

template<>
struct IntegerBlocks<BlockFormat::Q4_1> : CodeTraits<15, 0, true>
{
    template<int>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return nibbles(block + 4);
    }
};

template<>
struct IntegerBlocks<BlockFormat::Q5_0> : CodeTraits<31, 16, false>
{
    template<int>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return _mm256_or_si256(nibbles(block + 6), fifthBitsOf(block + 2));
    }
};

template<>
struct IntegerBlocks<BlockFormat::Q5_1> : CodeTraits<31, 0, true>
{
    template<int>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return _mm256_or_si256(nibbles(block + 8), fifthBitsOf(block + 4));
    }
};

template<>
struct IntegerBlocks<BlockFormat::IQ4_NL> : CodeTraits<128, 0, false>
{
    template<int>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        const __m256i values = _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(kIq4nlValues)));
        return _mm256_shuffle_epi8(values, nibbles(block + 2));
    }
};

/// Reads eight 6-bit scales, and eight minimums, of twelve bytes (Q4_K, Q5_K).
HEADSCOPE_INLINE void sixBitScales(BlockBytes packed, __m256i& scales, __m256i& minimums)
{
    const auto a = static_cast<unsigned>(fourBytes(packed));
    const auto b = static_cast<unsigned>(fourBytes(packed + 4));
    const auto c = static_cast<unsigned>(fourBytes(packed + 8));
    const unsigned long long highScales = (c & 0x0F0F0F0FU) | (a >> 2 & 0x30303030U);
    const unsigned long long highMinimums = (c >> 4 & 0x0F0F0F0FU) | (b >> 2 & 0x30303030U);
    const unsigned long long s = highScales << 32 | (a & 0x3F3F3F3FU);
    const unsigned long long m = highMinimums << 32 | (b & 0x3F3F3F3FU);
    scales = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(s)));
    minimums = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(m)));
}

/// Scales and minimums of Q4_K and Q5_K.
struct SixBitBlocks
{
    HEADSCOPE_INLINE static void read(BlockBytes block, __m256& scales, __m256& minimums)
    {
        __m256i scaleCodes;
        __m256i minimumCodes;
        sixBitScales(block + 4, scaleCodes, minimumCodes);
        scales = _mm256_mul_ps(_mm256_cvtepi32_ps(scaleCodes), _mm256_set1_ps(half(block)));
        minimums =
            _mm256_mul_ps(_mm256_cvtepi32_ps(minimumCodes), _mm256_set1_ps(-half(block + 2)));
    }
};

/// 64 codes in 32 bytes from `bytes` on: all low nibbles, then all high ones.
template<int Group>
HEADSCOPE_INLINE __m256i nibblesOfGroup(BlockBytes bytes)
{
    const __m256i pair = thirtyTwoBytes(bytes + Group / 2 * 32);
    return _mm256_and_si256(Group % 2 == 0 ? pair : _mm256_srli_epi16(pair, 4),
                            _mm256_set1_epi8(15));
}

template<>
struct IntegerBlocks<BlockFormat::Q4_K> : CodeTraits<15, 0, true>, SixBitBlocks
{
    template<int Group>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return nibblesOfGroup<Group>(block + 16);
    }
};

template<>
struct IntegerBlocks<BlockFormat::Q5_K> : CodeTraits<31, 0, true>, SixBitBlocks
{
    template<int Group>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        const __m256i fifth = _mm256_srli_epi16(thirtyTwoBytes(block + 16), Group);
        const __m256i bit = _mm256_and_si256(fifth, _mm256_set1_epi8(1));
        return _mm256_or_si256(nibblesOfGroup<Group>(block + 48), _mm256_slli_epi16(bit, 4));
    }
};

template<>
struct IntegerBlocks<BlockFormat::Q6_K> : CodeTraits<63, 32, false, true>
{
    /// Scales of codes [128 * half, 128 * half + 128).
    HEADSCOPE_INLINE static __m256 scales(BlockBytes block, int halfOfBlock)
    {
        const __m256i codes = _mm256_cvtepi8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i_u*>(block + 192 + 8 * halfOfBlock)));
        return _mm256_mul_ps(_mm256_cvtepi32_ps(codes), _mm256_set1_ps(half(block + 208)));
    }

    /// 128 codes: low bits in 64 bytes, two high bits each in 32.
    template<int Group>
    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        const __m256i bytes = thirtyTwoBytes(block + Group / 4 * 64 + Group % 2 * 32);
        const __m256i low = _mm256_and_si256(Group % 4 < 2 ? bytes : _mm256_srli_epi16(bytes, 4),
                                             _mm256_set1_epi8(15));
        const __m256i pairs =
            _mm256_srli_epi16(thirtyTwoBytes(block + 128 + Group / 4 * 32), Group % 4 * 2);
        return _mm256_or_si256(low,
                               _mm256_slli_epi16(_mm256_and_si256(pairs, _mm256_set1_epi8(3)), 4));
    }
};

/// Turns eight values of each of four columns into four of each value.
HEADSCOPE_INLINE void transpose(const __m256* columns, __m128* values)
{
    const __m256d low01 = _mm256_castps_pd(_mm256_unpacklo_ps(columns[0], columns[1]));
    const __m256d low23 = _mm256_castps_pd(_mm256_unpacklo_ps(columns[2], columns[3]));
    const __m256d high01 = _mm256_castps_pd(_mm256_unpackhi_ps(columns[0], columns[1]));
    const __m256d high23 = _mm256_castps_pd(_mm256_unpackhi_ps(columns[2], columns[3]));
    const __m256d all[4] = {_mm256_unpacklo_pd(low01, low23), _mm256_unpackhi_pd(low01, low23),
                            _mm256_unpacklo_pd(high01, high23), _mm256_unpackhi_pd(high01, high23)};
#pragma GCC unroll 16
    for (int i = 0; i < 4; ++i) {
        values[i] = _mm256_castps256_ps128(_mm256_castpd_ps(all[i]));
        values[i + 4] = _mm256_extractf128_ps(_mm256_castpd_ps(all[i]), 1);
    }
}

/// Scales of one block of each of four columns: of each group of 32 codes, or of its halves; and
/// the minimum of each group.
template<BlockFormat Format>
struct ColumnScales
{
    using Blocks = IntegerBlocks<Format>;
    static constexpr int groups = static_cast<int>(layoutOf(Format).values / 32);
    static constexpr int scaleCount = Blocks::hasHalves ? 2 * groups : groups;

    __m128 scales[scaleCount];
    __m128 minimums[groups];

    HEADSCOPE_INLINE explicit ColumnScales(const BlockBytes* w)
    {
        if constexpr (groups == 1 && Blocks::hasMinimum)
            readPairs(w);
        else if constexpr (groups == 1)
            readHalves(w);
        else if constexpr (Blocks::hasMinimum)
            readSixBits(w);
        else
            readBytes(w);
    }

private:
    HEADSCOPE_INLINE void readPairs(const BlockBytes* w)
    {
        const __m128i pairs =
            _mm_setr_epi32(fourBytes(w[0]), fourBytes(w[1]), fourBytes(w[2]), fourBytes(w[3]));
        const __m256 both = _mm256_cvtph_ps(_mm_shuffle_epi8(
            pairs, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)));
        scales[0] = _mm256_castps256_ps128(both);
        minimums[0] = _mm256_extractf128_ps(both, 1);
    }

    HEADSCOPE_INLINE void readHalves(const BlockBytes* w)
    {
        const auto two = [&](int c) { return static_cast<short>(twoBytes(w[c])); };
        scales[0] = _mm_cvtph_ps(_mm_setr_epi16(two(0), two(1), two(2), two(3), 0, 0, 0, 0));
        minimums[0] = _mm_setzero_ps();
    }

    HEADSCOPE_INLINE void readSixBits(const BlockBytes* w)
    {
        __m256 s[4];
        __m256 m[4];
#pragma GCC unroll 16
        for (int c = 0; c < 4; ++c)
            Blocks::read(w[c], s[c], m[c]);
        transpose(s, scales);
        transpose(m, minimums);
    }

    HEADSCOPE_INLINE void readBytes(const BlockBytes* w)
    {
#pragma GCC unroll 16
        for (int half = 0; half < 2; ++half) {
            __m256 s[4];
#pragma GCC unroll 16
            for (int c = 0; c < 4; ++c)
                s[c] = Blocks::scales(w[c], half);
            transpose(s, scales + 8 * half);
        }
    }
};

} // namespace
} // namespace headscope
