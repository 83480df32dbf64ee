// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/code_widening.h"
#include "core/model/mapped_linear_sums.h"

namespace headscope::HEADSCOPE_ISA {

#if defined(__AVX2__)

namespace {

/// More rows are worth unpacked weights.
constexpr std::int64_t kMaxRows = 4;

/// use(first, values) for each register of values of one block.
template<BlockFormat Format>
struct Values
{
    template<class Use>
    HEADSCOPE_INLINE static void forEach(BlockBytes bytes, std::int64_t count, Use use)
    {
        BlockCodes block;
        Blocks<Format>::read(bytes, block);
        for (std::int64_t i = 0; i < count; i += kLanes)
            use(i, valuesOf<Format>(block, i));
    }
};

#if defined(__AVX512F__)

/// What the sixteen codes of four bits stand for: a permutation by codes looks them up.
using Table = FloatVector;

HEADSCOPE_INLINE Table evenCodes()
{
    return Table{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

/// Sixteen bytes as lanes; of each the permutation takes the lowest four bits.
HEADSCOPE_INLINE IntVector pairsOfCodes(BlockBytes bytes)
{
    return reinterpret_cast<IntVector>(_mm512_maskz_cvtepu8_epi32(
        0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(bytes))));
}

HEADSCOPE_INLINE FloatVector lookUp(Table table, IntVector codes)
{
    return _mm512_maskz_permutexvar_ps(0xFFFF, reinterpret_cast<__m512i>(codes), table);
}

/// 32 codes in sixteen bytes: the low halves, then the high ones.
template<class Use>
HEADSCOPE_INLINE void useCodes(BlockBytes bytes, Table table, Use use)
{
    const IntVector codes = pairsOfCodes(bytes);
    use(0, lookUp(table, codes));
    use(16, lookUp(table, codes >> 4));
}

template<>
struct Values<BlockFormat::Q4_0>
{
    template<class Use>
    HEADSCOPE_INLINE static void forEach(BlockBytes bytes, std::int64_t, Use use)
    {
        useCodes(bytes + 2, (evenCodes() - 8.0F) * half(bytes), use);
    }
};

template<>
struct Values<BlockFormat::Q4_1>
{
    template<class Use>
    HEADSCOPE_INLINE static void forEach(BlockBytes bytes, std::int64_t, Use use)
    {
        useCodes(bytes + 4, evenCodes() * half(bytes) + half(bytes + 2), use);
    }
};

template<>
struct Values<BlockFormat::IQ4_NL>
{
    template<class Use>
    HEADSCOPE_INLINE static void forEach(BlockBytes bytes, std::int64_t, Use use)
    {
        const Table uneven = __builtin_convertvector(widened(kUnevenValues), FloatVector);
        useCodes(bytes + 2, uneven * half(bytes), use);
    }
};

template<>
struct Values<BlockFormat::Q4_K>
{
    template<class Use>
    HEADSCOPE_INLINE static void forEach(BlockBytes bytes, std::int64_t, Use use)
    {
        BlockCodes block; // of which only scales and minimums are used
        readSixBitScales(bytes + 4, half(bytes), half(bytes + 2), block);
        for (int i = 0; i < 4; ++i) { // 64 codes in 32 bytes: all low halves, then all high ones
            const IntVector first = pairsOfCodes(bytes + 16 + 32 * i);
            const IntVector second = pairsOfCodes(bytes + 32 + 32 * i);
            const Table low = evenCodes() * block.scales[4 * i] + block.minimums[4 * i];
            const Table high = evenCodes() * block.scales[4 * i + 2] + block.minimums[4 * i + 2];
            use(64 * i, lookUp(low, first));
            use(64 * i + 16, lookUp(low, second));
            use(64 * i + 32, lookUp(high, first >> 4));
            use(64 * i + 48, lookUp(high, second >> 4));
        }
    }
};

#endif

template<BlockFormat Format, std::int64_t Count, std::int64_t Bytes, int Rows>
void multiplyTile(const RowProduct& p, std::int64_t column)
{
    FloatVector sums[Rows][kTileColumns] = {};
    const unsigned char* weights[kTileColumns];
    for (int c = 0; c < kTileColumns; ++c)
        weights[c] = p.weights[column + c];
    // The next tile's rows: four streams at once are more than processors foresee (SmolLM2 in Q4_1:
    // 103 tokens a second without, 145 with).
    const std::int64_t ahead = kTileColumns * (p.depth / Count * Bytes);
    const float* in = p.in;
    for (std::int64_t first = 0; first < p.depth; first += Count, in += Count) {
#pragma GCC unroll 4
        for (int c = 0; c < kTileColumns; ++c) {
            Values<Format>::forEach(
                weights[c], Count, [&](std::int64_t i, FloatVector values) HEADSCOPE_LAMBDA {
#pragma GCC unroll 4
                    for (int r = 0; r < Rows; ++r)
                        sums[r][c] = multiplyAdd(values, load(in + r * p.inStride + i), sums[r][c]);
                });
            __builtin_prefetch(weights[c] + ahead);
            weights[c] += Bytes;
        }
    }
    for (int r = 0; r < Rows; ++r)
        storeSums(p, r, column, sumsOfFour(sums[r]));
}

template<BlockFormat Format, std::int64_t Count, std::int64_t Bytes>
bool multiply(const RowProduct& p)
{
    using Multiply = void (*)(const RowProduct&, std::int64_t);
    constexpr Multiply tiles[kMaxRows] = {
        multiplyTile<Format, Count, Bytes, 1>, multiplyTile<Format, Count, Bytes, 2>,
        multiplyTile<Format, Count, Bytes, 3>, multiplyTile<Format, Count, Bytes, 4>};
    for (std::int64_t column = 0; column < p.columns; column += kTileColumns)
        tiles[p.rows - 1](p, column);
    return true;
}

} // namespace

bool multiplyCodes(BlockFormat format, const RowProduct& product)
{
    if (product.rows < 1 || product.rows > kMaxRows)
        return false;
    switch (format) {
    case BlockFormat::Q8_0:
        return multiply<BlockFormat::Q8_0, 32, 34>(product);
    case BlockFormat::Q4_0:
        return multiply<BlockFormat::Q4_0, 32, 18>(product);
    case BlockFormat::Q4_1:
        return multiply<BlockFormat::Q4_1, 32, 20>(product);
    case BlockFormat::Q5_0:
        return multiply<BlockFormat::Q5_0, 32, 22>(product);
    case BlockFormat::Q5_1:
        return multiply<BlockFormat::Q5_1, 32, 24>(product);
    case BlockFormat::Q4_K:
        return multiply<BlockFormat::Q4_K, 256, 144>(product);
    case BlockFormat::Q5_K:
        return multiply<BlockFormat::Q5_K, 256, 176>(product);
    case BlockFormat::Q6_K:
        return multiply<BlockFormat::Q6_K, 256, 210>(product);
    case BlockFormat::IQ4_NL:
        return multiply<BlockFormat::IQ4_NL, 32, 18>(product);
    default: // rare ones
        return false;
    }
}

#else

bool multiplyCodes(BlockFormat, const RowProduct&)
{
    return false;
}

#endif

} // namespace headscope::HEADSCOPE_ISA
