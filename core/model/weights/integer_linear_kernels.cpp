// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/weights/integer_linear_kernels.h"

#include "core/model/weights/mapped_linear_kernels.h"

#if defined(__AVX2__)
#include "core/model/weights/integer_formats.h"
#include "core/model/weights/integer_sums.h"
#endif

namespace headscope::HEADSCOPE_ISA {

#if defined(__AVX2__)

namespace {

constexpr int kColumns = kTileColumns;
/// Prefetch distance in bytes, as in coded_linear_kernels.cpp.
constexpr std::int64_t kAhead = 4096;
constexpr std::int64_t kCacheLine = 64;

HEADSCOPE_INLINE void storeColumns(const IntegerProduct& p, std::int64_t row, std::int64_t column,
                                   __m128 sums)
{
    float results[kColumns];
    _mm_storeu_ps(results, sums);
    float* const out = p.out + row * p.outStride + column;
    for (std::int64_t c = 0; c < kColumns && column + c < p.columns; ++c)
        out[c] = p.bias != nullptr ? results[c] + p.bias[column + c] : results[c];
}

/// Fetches what a tile reads later. Rows are neighbours in the file, so a tile is one contiguous
/// range of it.
template<std::int64_t Bytes>
HEADSCOPE_INLINE void fetch(BlockBytes ahead)
{
#pragma GCC unroll 16
    for (std::int64_t line = 0; line < kColumns * Bytes; line += kCacheLine)
        __builtin_prefetch(ahead + line);
}

/// Sums of the codes of the first and the second 16 inputs of a block, times `offset`: [a b a b].
HEADSCOPE_INLINE __m128i offsetsOfHalves(const std::int16_t* codeSums, short offset)
{
    long long sums = 0;
    __builtin_memcpy(&sums, codeSums, sizeof(sums));
    return _mm_madd_epi16(_mm_set1_epi64x(sums), _mm_set1_epi16(offset));
}

/// Products of one row with four columns.
template<BlockFormat Format>
class Tile
{
public:
    HEADSCOPE_INLINE Tile(const IntegerProduct& product, std::int64_t row)
        : m_product(product)
        , m_row(row)
        , m_blocks(product.in.depth / kRoundedBlock)
        , m_sums(_mm_setzero_ps())
        , m_minimums(_mm_setzero_ps())
    {
    }

    HEADSCOPE_INLINE void multiply(std::int64_t column)
    {
        constexpr std::int64_t kBytes = layoutOf(Format).bytes;
        const BlockBytes* const rows = m_product.weights + column;
        std::int64_t at = 0;
        for (std::int64_t block = 0; block < m_blocks; block += Scales::groups, at += kBytes) {
            const BlockBytes weights[kColumns] = {rows[0] + at, rows[1] + at, rows[2] + at,
                                                  rows[3] + at};
            addGroups<0>(block, weights, Scales(weights));
            fetch<kBytes>(rows[0] + kAhead + kColumns * at);
        }
        storeColumns(m_product, m_row, column,
                     Blocks::hasMinimum ? _mm_add_ps(m_sums, m_minimums) : m_sums);
    }

private:
    using Blocks = IntegerBlocks<Format>;
    using Scales = ColumnScales<Format>;

    template<int Group>
    HEADSCOPE_INLINE void addGroups(std::int64_t block, const BlockBytes* weights,
                                    const Scales& scales)
    {
        __m256i codes[kColumns];
#pragma GCC unroll 16
        for (int c = 0; c < kColumns; ++c)
            codes[c] = Blocks::template codes<Group>(weights[c]);
        const std::int64_t at = m_row * m_blocks + block + Group;
        const __m256i in = thirtyTwoBytes(m_product.in.codes + at * 32);
        addSums<Group>(at, sumsOfHalves<Blocks>(codes, in), scales);
        if constexpr (Blocks::hasMinimum)
            m_minimums = _mm_fmadd_ps(scales.minimums[Group], _mm_set1_ps(m_product.in.sums[at]),
                                      m_minimums);
        if constexpr (Group + 1 < Scales::groups)
            addGroups<Group + 1>(block, weights, scales);
    }

    /// Scales and adds the sums of one group of 32 codes in each column.
    template<int Group>
    HEADSCOPE_INLINE void addSums(std::int64_t at, __m256i halves, const Scales& scales)
    {
        const __m128 in = _mm_set1_ps(m_product.in.scales[at]);
        const __m128i offsets = offsetsOfHalves(m_product.in.codeSums + 4 * at, Blocks::offset);
        __m128i first = _mm256_castsi256_si128(halves);
        __m128i second = _mm256_extracti128_si256(halves, 1);
        if constexpr (Blocks::hasHalves) {
            first = _mm_sub_epi32(first, _mm_shuffle_epi32(offsets, 0x00));
            second = _mm_sub_epi32(second, _mm_shuffle_epi32(offsets, 0x55));
            addScaled(first, _mm_mul_ps(scales.scales[2 * Group], in));
            addScaled(second, _mm_mul_ps(scales.scales[2 * Group + 1], in));
        } else {
            __m128i sum = _mm_add_epi32(first, second);
            if constexpr (Blocks::offset != 0)
                sum = _mm_sub_epi32(sum, _mm_add_epi32(offsets, _mm_shuffle_epi32(offsets, 0xB1)));
            addScaled(sum, _mm_mul_ps(scales.scales[Group], in));
        }
    }

    HEADSCOPE_INLINE void addScaled(__m128i sum, __m128 scale)
    {
        m_sums = _mm_fmadd_ps(_mm_cvtepi32_ps(sum), scale, m_sums);
    }

    const IntegerProduct& m_product;
    std::int64_t m_row;
    std::int64_t m_blocks;
    __m128 m_sums;
    __m128 m_minimums;
};

template<BlockFormat Format>
struct TileKernel
{
    static void multiply(const IntegerProduct& p)
    {
        for (std::int64_t column = 0; column < p.columns; column += kColumns)
            for (std::int64_t row = 0; row < p.rows; ++row)
                Tile<Format>(p, row).multiply(column);
    }
};

HEADSCOPE_INLINE int largestLane(__m256i values)
{
    __m128i largest =
        _mm_max_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    largest = _mm_max_epi32(largest, _mm_shuffle_epi32(largest, 0x4E));
    largest = _mm_max_epi32(largest, _mm_shuffle_epi32(largest, 0xB1));
    return _mm_cvtsi128_si32(largest);
}

/// Sums the bytes of each half at k % 4 < 2, and at the others, in 16 bits each: RoundedRows::codeSums.
HEADSCOPE_INLINE __m256i sumsOfCodes(__m256i codes)
{
    __m256i sums = _mm256_maddubs_epi16(_mm256_set1_epi8(1), codes);
    sums = _mm256_add_epi16(sums, _mm256_shuffle_epi32(sums, 0x4E));
    return _mm256_add_epi16(sums, _mm256_shuffle_epi32(sums, 0xB1));
}

struct BlockScale
{
    float scale = 0.0F;
    float inverse = 0.0F;
};

/// Takes the bits of the largest magnitude: they order as integers, infinity and NaN last.
HEADSCOPE_INLINE BlockScale scaleOf(int magnitudeBits)
{
    constexpr float kSmallest = 0x1p-120F;
    float largest = 0.0F;
    __builtin_memcpy(&largest, &magnitudeBits, sizeof(largest));
    if (magnitudeBits >= 0x7F800000)
        return {__builtin_nanf(""), 0.0F};
    if (largest < kSmallest)
        return {};
    return {largest / 127.0F, 127.0F / largest};
}

} // namespace

void roundRow(const float* in, std::int64_t row, const RoundedRows& rows)
{
    const std::int64_t blocks = rows.depth / kRoundedBlock;
    const __m256i magnitude = _mm256_set1_epi32(0x7FFFFFFF);
    for (std::int64_t block = 0; block < blocks; ++block, in += kRoundedBlock) {
        __m256 values[4];
        __m256i largest = _mm256_setzero_si256();
#pragma GCC unroll 16
        for (int i = 0; i < 4; ++i) {
            values[i] = _mm256_loadu_ps(in + 8 * i);
            largest = _mm256_max_epi32(largest,
                                       _mm256_and_si256(_mm256_castps_si256(values[i]), magnitude));
        }
        const BlockScale scale = scaleOf(largestLane(largest));
        __m256i codes[4];
#pragma GCC unroll 16
        for (int i = 0; i < 4; ++i) {
            const __m256 scaled = _mm256_mul_ps(values[i], _mm256_set1_ps(scale.inverse));
            codes[i] = _mm256_cvtps_epi32(scaled);
        }
        if (scale.inverse == 0.0F) // infinity and NaN would become the smallest integer
            for (__m256i& some : codes)
                some = _mm256_setzero_si256();
        const __m256i bytes =
            _mm256_permutevar8x32_epi32(_mm256_packs_epi16(_mm256_packs_epi32(codes[0], codes[1]),
                                                           _mm256_packs_epi32(codes[2], codes[3])),
                                        _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        const std::int64_t at = row * blocks + block;
        _mm256_storeu_si256(reinterpret_cast<__m256i_u*>(rows.codes + at * kRoundedBlock), bytes);
        const __m256i halves = sumsOfCodes(bytes);
        const __m128i sums =
            _mm_unpacklo_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
        _mm_storel_epi64(reinterpret_cast<__m128i_u*>(rows.codeSums + 4 * at), sums);
        const __m128i pairs = _mm_madd_epi16(sums, _mm_set1_epi16(1));
        rows.scales[at] = scale.scale;
        rows.sums[at] = scale.scale *
                        static_cast<float>(_mm_cvtsi128_si32(pairs) + _mm_extract_epi32(pairs, 1));
    }
}

bool multiplyIntegers(BlockFormat format, const IntegerProduct& product)
{
    return multiplyFormat<TileKernel>(format, product);
}

#endif

} // namespace headscope::HEADSCOPE_ISA
