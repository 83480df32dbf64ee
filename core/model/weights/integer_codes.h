#pragma once

// Blocks of core/tensor/block_format.h as registers of 32 codes and their scales, for the kernels
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

/// Reader of blocks of 32 codes. `offset` is subtracted from codes, which are unsigned unless
/// `isSigned`; the scale, and the minimum where the format has one, are the first two bytes each.
template<BlockFormat Format>
struct SmallBlocks;

template<>
struct SmallBlocks<BlockFormat::Q8_0>
{
    static constexpr bool isSigned = true;
    static constexpr bool hasMinimum = false;
    static constexpr int offset = 0;

    HEADSCOPE_INLINE static __m256i codes(BlockBytes block) { return thirtyTwoBytes(block + 2); }
};

template<>
struct SmallBlocks<BlockFormat::Q4_0>
{
    static constexpr bool isSigned = false;
    static constexpr bool hasMinimum = false;
    static constexpr int offset = 8;

    HEADSCOPE_INLINE static __m256i codes(BlockBytes block) { return nibbles(block + 2); }
};

template<>
struct SmallBlocks<BlockFormat::Q4_1>
{
    static constexpr bool isSigned = false;
    static constexpr bool hasMinimum = true;
    static constexpr int offset = 0;

    HEADSCOPE_INLINE static __m256i codes(BlockBytes block) { return nibbles(block + 4); }
};

template<>
struct SmallBlocks<BlockFormat::Q5_0>
{
    static constexpr bool isSigned = false;
    static constexpr bool hasMinimum = false;
    static constexpr int offset = 16;

    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return _mm256_or_si256(nibbles(block + 6), fifthBitsOf(block + 2));
    }
};

template<>
struct SmallBlocks<BlockFormat::Q5_1>
{
    static constexpr bool isSigned = false;
    static constexpr bool hasMinimum = true;
    static constexpr int offset = 0;

    HEADSCOPE_INLINE static __m256i codes(BlockBytes block)
    {
        return _mm256_or_si256(nibbles(block + 8), fifthBitsOf(block + 4));
    }
};

template<>
struct SmallBlocks<BlockFormat::IQ4_NL>
{
    static constexpr bool isSigned = true;
    static constexpr bool hasMinimum = false;
    static constexpr int offset = 0;

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

/// Reader of blocks of 256 codes, in eight groups of 32. scales() returns the scale of each group
/// of 16 codes as [sixteen], minimums() the minimum of each group of 32.
template<BlockFormat Format>
class LargeBlocks;

/// Scales and minimums of Q4_K and Q5_K: one for 32 codes.
class SixBitBlocks
{
public:
    static constexpr bool isSigned = false;
    static constexpr bool hasMinimum = true;
    static constexpr bool hasHalves = false; ///< True when 16 codes share a scale.

    HEADSCOPE_INLINE explicit SixBitBlocks(BlockBytes block) : m_block(block)
    {
        __m256i scales;
        __m256i minimums;
        sixBitScales(block + 4, scales, minimums);
        m_scales = _mm256_mul_ps(_mm256_cvtepi32_ps(scales), _mm256_set1_ps(half(block)));
        m_minimums = _mm256_mul_ps(_mm256_cvtepi32_ps(minimums), _mm256_set1_ps(-half(block + 2)));
    }

    HEADSCOPE_INLINE __m256 scales() const { return m_scales; }

    HEADSCOPE_INLINE __m256 minimums() const { return m_minimums; }

protected:
    BlockBytes m_block;

private:
    __m256 m_scales;
    __m256 m_minimums;
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
class LargeBlocks<BlockFormat::Q4_K> : public SixBitBlocks
{
public:
    using SixBitBlocks::SixBitBlocks;

    template<int Group>
    HEADSCOPE_INLINE __m256i codes() const
    {
        return nibblesOfGroup<Group>(m_block + 16);
    }
};

template<>
class LargeBlocks<BlockFormat::Q5_K> : public SixBitBlocks
{
public:
    using SixBitBlocks::SixBitBlocks;

    template<int Group>
    HEADSCOPE_INLINE __m256i codes() const
    {
        const __m256i fifth = _mm256_srli_epi16(thirtyTwoBytes(m_block + 16), Group);
        const __m256i bit = _mm256_and_si256(fifth, _mm256_set1_epi8(1));
        return _mm256_or_si256(nibblesOfGroup<Group>(m_block + 48), _mm256_slli_epi16(bit, 4));
    }
};

template<>
class LargeBlocks<BlockFormat::Q6_K>
{
public:
    static constexpr bool isSigned = true;
    static constexpr bool hasMinimum = false;
    static constexpr bool hasHalves = true;

    HEADSCOPE_INLINE explicit LargeBlocks(BlockBytes block)
        : m_block(block)
        , m_scale(_mm256_set1_ps(half(block + 208)))
    {
    }

    /// Scales of codes [128 * Half, 128 * Half + 128).
    template<int Half>
    HEADSCOPE_INLINE __m256 scales() const
    {
        const __m256i codes = _mm256_cvtepi8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i_u*>(m_block + 192 + 8 * Half)));
        return _mm256_mul_ps(_mm256_cvtepi32_ps(codes), m_scale);
    }

    /// 128 codes: low bits in 64 bytes, two high bits each in 32.
    template<int Group>
    HEADSCOPE_INLINE __m256i codes() const
    {
        const __m256i bytes = thirtyTwoBytes(m_block + Group / 4 * 64 + Group % 2 * 32);
        const __m256i low = _mm256_and_si256(Group % 4 < 2 ? bytes : _mm256_srli_epi16(bytes, 4),
                                             _mm256_set1_epi8(15));
        const __m256i pairs =
            _mm256_srli_epi16(thirtyTwoBytes(m_block + 128 + Group / 4 * 32), Group % 4 * 2);
        const __m256i high = _mm256_slli_epi16(_mm256_and_si256(pairs, _mm256_set1_epi8(3)), 4);
        return _mm256_sub_epi8(_mm256_or_si256(low, high), _mm256_set1_epi8(32));
    }

private:
    BlockBytes m_block;
    __m256 m_scale;
};

} // namespace
} // namespace headscope
