#pragma once

// Blocks of core/tensor/block_codes.h as registers of floats, with the bits of unpack(). For
// sources that headscope_isa_sources compiles several times, without contraction of product and
// sum.

#include "core/model/weights/code_widening.h"

namespace headscope {
namespace {

/// A decoded block: at(i) returns its values i to i + kLanes - 1.
template<BlockFormat Format>
class BlockValues
{
public:
    HEADSCOPE_INLINE void read(BlockBytes bytes) { readBlock<Format>(bytes, m_block); }

    HEADSCOPE_INLINE FloatVector at(std::int64_t i) const { return valuesOf<Format>(m_block, i); }

private:
    BlockCodes m_block;
};

#if defined(__AVX512F__)

/// Values of the sixteen 4-bit codes, looked up by a permutation.
using Table = FloatVector;

HEADSCOPE_INLINE Table evenCodes()
{
    return Table{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

/// Expands sixteen bytes to lanes; the permutation uses the lowest four bits of each.
HEADSCOPE_INLINE IntVector pairsOfCodes(BlockBytes bytes)
{
    return reinterpret_cast<IntVector>(_mm512_maskz_cvtepu8_epi32(
        0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(bytes))));
}

HEADSCOPE_INLINE FloatVector lookUp(Table table, IntVector codes)
{
    return _mm512_maskz_permutexvar_ps(0xFFFF, reinterpret_cast<__m512i>(codes), table);
}

/// Decodes 32 codes in sixteen bytes: the low nibbles, then the high ones.
class TableValues
{
public:
    HEADSCOPE_INLINE FloatVector at(std::int64_t i) const
    {
        return lookUp(m_table, i == 0 ? m_codes : m_codes >> 4);
    }

protected:
    HEADSCOPE_INLINE void read(BlockBytes codes, Table table)
    {
        m_codes = pairsOfCodes(codes);
        m_table = table;
    }

private:
    IntVector m_codes;
    Table m_table;
};

template<>
class BlockValues<BlockFormat::Q4_0> : public TableValues
{
public:
    HEADSCOPE_INLINE void read(BlockBytes bytes)
    {
        TableValues::read(bytes + 2, (evenCodes() - 8.0F) * half(bytes));
    }
};

template<>
class BlockValues<BlockFormat::Q4_1> : public TableValues
{
public:
    HEADSCOPE_INLINE void read(BlockBytes bytes)
    {
        TableValues::read(bytes + 4, evenCodes() * half(bytes) + half(bytes + 2));
    }
};

template<>
class BlockValues<BlockFormat::IQ4_NL> : public TableValues
{
public:
    HEADSCOPE_INLINE void read(BlockBytes bytes)
    {
        TableValues::read(bytes + 2, __builtin_convertvector(widened(kIq4nlValues), FloatVector) *
                                         half(bytes));
    }
};

template<>
class BlockValues<BlockFormat::Q8_0>
{
public:
    HEADSCOPE_INLINE void read(BlockBytes bytes)
    {
        m_codes = reinterpret_cast<const signed char*>(bytes + 2);
        m_scale = half(bytes);
    }

    HEADSCOPE_INLINE FloatVector at(std::int64_t i) const
    {
        return __builtin_convertvector(widened(m_codes + i), FloatVector) * m_scale;
    }

private:
    const signed char* m_codes;
    float m_scale;
};

template<>
class BlockValues<BlockFormat::Q4_K>
{
public:
    HEADSCOPE_INLINE void read(BlockBytes bytes)
    {
        m_codes = bytes + 16;
        readSixBitScales(bytes + 4, half(bytes), half(bytes + 2), m_scales);
    }

    /// Decodes 64 codes in 32 bytes: all low nibbles, then all high ones.
    HEADSCOPE_INLINE FloatVector at(std::int64_t i) const
    {
        const IntVector codes = pairsOfCodes(m_codes + i / 64 * 32 + i % 32);
        const std::int64_t scale = i / kCodesPerScale;
        const Table table = evenCodes() * m_scales.scales[scale] + m_scales.minimums[scale];
        return lookUp(table, i % 64 < 32 ? codes : codes >> 4);
    }

private:
    BlockBytes m_codes;
    BlockCodes m_scales; ///< Scales; its codes are not used.
};

#endif

} // namespace
} // namespace headscope
