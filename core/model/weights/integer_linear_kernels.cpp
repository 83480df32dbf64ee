// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/weights/integer_linear_kernels.h"

#include "core/model/weights/mapped_linear_kernels.h"

#if defined(__AVX2__)
#include "core/model/weights/integer_codes.h"
#endif

#include <utility>

namespace headscope::HEADSCOPE_ISA {

#if defined(__AVX2__)

namespace {

constexpr int kColumns = kTileColumns;
/// Number of rows per tile: their sums of four columns stay in registers.
constexpr int kTileRows = 2;
/// Prefetch distance in bytes, as in coded_linear_kernels.cpp.
constexpr std::int64_t kAhead = 4096;
constexpr std::int64_t kCacheLine = 64;

/// Adds the products of each four neighbouring codes to the lanes of `sum`.
template<bool IsSigned>
HEADSCOPE_INLINE __m256i addProducts(__m256i sum, __m256i weights, __m256i in)
{
    if constexpr (IsSigned) {
        in = _mm256_sign_epi8(in, weights);
        weights = _mm256_abs_epi8(weights); // -128 becomes 128, unsigned
    }
#if defined(__AVXVNNI__)
    return _mm256_dpbusd_avx_epi32(sum, weights, in);
#elif defined(__AVX512VNNI__)
    return _mm256_dpbusd_epi32(sum, weights, in);
#else
    // Largest sum of a pair: 2 * 128 * 127 < 2^15.
    const __m256i pairs = _mm256_maddubs_epi16(weights, in);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}

template<int Lane>
HEADSCOPE_INLINE __m256 spread(__m256 lanes)
{
    return _mm256_permute_ps(lanes, Lane * 0x55);
}

/// Sums of the lanes of four registers.
HEADSCOPE_INLINE __m128 sumsOfColumns(const __m256* v)
{
    const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    return _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1));
}

HEADSCOPE_INLINE void storeColumns(const IntegerProduct& p, std::int64_t row, std::int64_t column,
                                   __m128 sums)
{
    float results[kColumns];
    _mm_storeu_ps(results, sums);
    float* const out = p.out + row * p.outStride + column;
    for (std::int64_t c = 0; c < kColumns && column + c < p.columns; ++c)
        out[c] = p.bias != nullptr ? results[c] + p.bias[column + c] : results[c];
}

/// Positions of a tile of four columns in its rows of weights.
struct ColumnPlaces
{
    BlockBytes weights[kColumns];
    BlockBytes ahead;

    HEADSCOPE_INLINE ColumnPlaces(const IntegerProduct& p, std::int64_t column)
    {
        for (int c = 0; c < kColumns; ++c)
            weights[c] = p.weights[column + c];
        ahead = weights[0] + kAhead;
    }

    /// Rows are neighbours in the file, so a tile is one contiguous range of it.
    template<std::int64_t Bytes>
    HEADSCOPE_INLINE void next()
    {
#pragma GCC unroll 16
        for (std::int64_t line = 0; line < kColumns * Bytes; line += kCacheLine)
            __builtin_prefetch(ahead + line);
        ahead += kColumns * Bytes;
        for (BlockBytes& place : weights)
            place += Bytes;
    }
};

/// Scales of the blocks of four columns, in both halves; their minimums.
template<bool HasMinimum>
struct ColumnScales
{
    __m256 scales;
    __m128 minimums;

    HEADSCOPE_INLINE explicit ColumnScales(const BlockBytes* w)
    {
        if constexpr (HasMinimum) {
            const __m128i pairs =
                _mm_setr_epi32(fourBytes(w[0]), fourBytes(w[1]), fourBytes(w[2]), fourBytes(w[3]));
            const __m256 both = _mm256_cvtph_ps(_mm_shuffle_epi8(
                pairs, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)));
            scales = _mm256_permute2f128_ps(both, both, 0);
            minimums = _mm256_extractf128_ps(both, 1);
        } else {
            const auto two = [&](int c) { return static_cast<short>(twoBytes(w[c])); };
            const __m128i halves =
                _mm_setr_epi16(two(0), two(1), two(2), two(3), two(0), two(1), two(2), two(3));
            scales = _mm256_cvtph_ps(halves);
            minimums = _mm_setzero_ps();
        }
    }
};

template<BlockFormat Format, int Rows>
class SmallTile
{
public:
    HEADSCOPE_INLINE SmallTile(const IntegerProduct& product, std::int64_t row)
        : m_product(product)
        , m_row(row)
        , m_blocks(product.in.depth / kRoundedBlock)
    {
    }

    HEADSCOPE_INLINE void multiply(std::int64_t column)
    {
        for (int r = 0; r < Rows; ++r) {
            m_minimums[r] = _mm_setzero_ps();
            for (__m256& sum : m_sums[r])
                sum = _mm256_setzero_ps();
        }
        ColumnPlaces places(m_product, column);
        for (std::int64_t block = 0; block < m_blocks; ++block) {
            addBlock(block, places.weights);
            places.template next<layoutOf(Format).bytes>();
        }
        for (int r = 0; r < Rows; ++r) {
            __m128 sums = sumsOfColumns(m_sums[r]);
            if constexpr (Reader::hasMinimum)
                sums = _mm_add_ps(sums, m_minimums[r]);
            storeColumns(m_product, m_row + r, column, sums);
        }
    }

private:
    using Reader = SmallBlocks<Format>;

    HEADSCOPE_INLINE void addBlock(std::int64_t block, const BlockBytes* weights)
    {
        const ColumnScales<Reader::hasMinimum> columns(weights);
        const RoundedRows& in = m_product.in;
        __m256 scales[Rows];
        __m256i first[Rows];
        for (int r = 0; r < Rows; ++r) {
            const std::int64_t at = (m_row + r) * m_blocks + block;
            scales[r] = _mm256_mul_ps(columns.scales, _mm256_set1_ps(in.scales[at]));
            if constexpr (Reader::hasMinimum)
                m_minimums[r] =
                    _mm_fmadd_ps(columns.minimums, _mm_set1_ps(in.sums[at]), m_minimums[r]);
            // The eight lanes share what the offset subtracts.
            first[r] = Reader::offset == 0
                           ? _mm256_setzero_si256()
                           : _mm256_set1_epi32(in.codeSums[at] * (-Reader::offset / 8));
        }
        addColumn<0>(block, weights, scales, first);
        addColumn<1>(block, weights, scales, first);
        addColumn<2>(block, weights, scales, first);
        addColumn<3>(block, weights, scales, first);
    }

    template<int Column>
    HEADSCOPE_INLINE void addColumn(std::int64_t block, const BlockBytes* weights,
                                    const __m256* scales, const __m256i* first)
    {
        const __m256i codes = Reader::codes(weights[Column]);
        for (int r = 0; r < Rows; ++r) {
            const __m256i in =
                thirtyTwoBytes(m_product.in.codes + (m_row + r) * m_product.in.depth + block * 32);
            const __m256i sum = addProducts<Reader::isSigned>(first[r], codes, in);
            m_sums[r][Column] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), spread<Column>(scales[r]),
                                                m_sums[r][Column]);
        }
    }

    const IntegerProduct& m_product;
    std::int64_t m_row;
    std::int64_t m_blocks;
    __m256 m_sums[Rows][kColumns];
    __m128 m_minimums[Rows];
};

template<BlockFormat Format, int Rows>
class LargeTile
{
public:
    HEADSCOPE_INLINE LargeTile(const IntegerProduct& product, std::int64_t row)
        : m_product(product)
        , m_row(row)
        , m_blocks(product.in.depth / kRoundedBlock)
    {
    }

    HEADSCOPE_INLINE void multiply(std::int64_t column)
    {
        for (int r = 0; r < Rows; ++r)
            for (__m256& sum : m_sums[r])
                sum = _mm256_setzero_ps();
        ColumnPlaces places(m_product, column);
        for (std::int64_t block = 0; block < m_blocks; block += kGroups) {
            for (int c = 0; c < kColumns; ++c) {
                const Reader reader(places.weights[c]);
                if constexpr (Reader::hasHalves)
                    addHalves(block, c, reader);
                else
                    addGroups(block, c, reader);
            }
            places.template next<layoutOf(Format).bytes>();
        }
        for (int r = 0; r < Rows; ++r)
            storeColumns(m_product, m_row + r, column, sumsOfColumns(m_sums[r]));
    }

private:
    using Reader = LargeBlocks<Format>;
    static constexpr int kGroups = 8;

    std::int64_t place(int r, std::int64_t block) const { return (m_row + r) * m_blocks + block; }

    HEADSCOPE_INLINE void addGroups(std::int64_t block, int c, const Reader& reader)
    {
        alignas(32) float scales[Rows][kGroups];
        for (int r = 0; r < Rows; ++r) {
            const float* const of = m_product.in.scales + place(r, block);
            _mm256_store_ps(scales[r], _mm256_mul_ps(reader.scales(), _mm256_loadu_ps(of)));
            const float* const sums = m_product.in.sums + place(r, block);
            m_sums[r][c] = _mm256_fmadd_ps(reader.minimums(), _mm256_loadu_ps(sums), m_sums[r][c]);
        }
        addGroup<0>(block, c, reader, scales);
    }

    template<int Group>
    HEADSCOPE_INLINE void addGroup(std::int64_t block, int c, const Reader& reader,
                                   const float (*scales)[kGroups])
    {
        const __m256i codes = reader.template codes<Group>();
        for (int r = 0; r < Rows; ++r)
            addScaled<Group>(block, c, r, codes, _mm256_broadcast_ss(scales[r] + Group));
        if constexpr (Group + 1 < kGroups)
            addGroup<Group + 1>(block, c, reader, scales);
    }

    HEADSCOPE_INLINE void addHalves(std::int64_t block, int c, const Reader& reader)
    {
        alignas(32) float scales[Rows][2 * kGroups];
        const __m256 of[2] = {reader.template scales<0>(), reader.template scales<1>()};
        const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
        for (int r = 0; r < Rows; ++r)
            for (int half = 0; half < 2; ++half) {
                const __m256 in = _mm256_castps128_ps256(
                    _mm_loadu_ps(m_product.in.scales + place(r, block) + 4 * half));
                _mm256_store_ps(scales[r] + 8 * half,
                                _mm256_mul_ps(of[half], _mm256_permutevar8x32_ps(in, twice)));
            }
        addPair<0>(block, c, reader, scales);
    }

    template<int Group>
    HEADSCOPE_INLINE void addPair(std::int64_t block, int c, const Reader& reader,
                                  const float (*scales)[2 * kGroups])
    {
        const __m256i codes = reader.template codes<Group>();
        for (int r = 0; r < Rows; ++r) {
            const float* const two = scales[r] + 2 * Group;
            const __m256 scale = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_broadcast_ss(two)),
                                                      _mm_broadcast_ss(two + 1), 1);
            addScaled<Group>(block, c, r, codes, scale);
        }
        if constexpr (Group + 1 < kGroups)
            addPair<Group + 1>(block, c, reader, scales);
    }

    template<int Group>
    HEADSCOPE_INLINE void addScaled(std::int64_t block, int c, int r, __m256i codes, __m256 scale)
    {
        const __m256i in = thirtyTwoBytes(m_product.in.codes + (m_row + r) * m_product.in.depth +
                                          (block + Group) * 32);
        const __m256i sum = addProducts<Reader::isSigned>(_mm256_setzero_si256(), codes, in);
        m_sums[r][c] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), scale, m_sums[r][c]);
    }

    const IntegerProduct& m_product;
    std::int64_t m_row;
    std::int64_t m_blocks;
    __m256 m_sums[Rows][kColumns];
};

template<BlockFormat Format, int Rows>
void multiplyTile(const IntegerProduct& p, std::int64_t row, std::int64_t column)
{
    if constexpr (layoutOf(Format).values == kRoundedBlock)
        SmallTile<Format, Rows>(p, row).multiply(column);
    else
        LargeTile<Format, Rows>(p, row).multiply(column);
}

template<BlockFormat Format>
bool multiply(const IntegerProduct& p)
{
    if constexpr (multipliesIntegers(Format)) {
        for (std::int64_t column = 0; column < p.columns; column += kColumns) {
            std::int64_t row = 0;
            for (; row + kTileRows <= p.rows; row += kTileRows)
                multiplyTile<Format, kTileRows>(p, row, column);
            if (row < p.rows)
                multiplyTile<Format, 1>(p, row, column);
        }
        return true;
    }
    return false;
}

template<std::size_t... Format>
bool multiplyOne(BlockFormat format, const IntegerProduct& p, std::index_sequence<Format...>)
{
    constexpr bool (*multiplies[])(const IntegerProduct&) = {
        multiply<static_cast<BlockFormat>(Format)>...};
    return multiplies[static_cast<std::size_t>(format)](p);
}

HEADSCOPE_INLINE int largestLane(__m256i values)
{
    __m128i largest =
        _mm_max_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    largest = _mm_max_epi32(largest, _mm_shuffle_epi32(largest, 0x4E));
    largest = _mm_max_epi32(largest, _mm_shuffle_epi32(largest, 0xB1));
    return _mm_cvtsi128_si32(largest);
}

HEADSCOPE_INLINE int sumOfLanes(__m256i values)
{
    __m128i sum =
        _mm_add_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
    return _mm_cvtsi128_si32(sum);
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
        for (int i = 0; i < 4; ++i) {
            values[i] = _mm256_loadu_ps(in + 8 * i);
            largest = _mm256_max_epi32(largest,
                                       _mm256_and_si256(_mm256_castps_si256(values[i]), magnitude));
        }
        const BlockScale scale = scaleOf(largestLane(largest));
        __m256i codes[4];
        for (int i = 0; i < 4; ++i) {
            const __m256 scaled = _mm256_mul_ps(values[i], _mm256_set1_ps(scale.inverse));
            codes[i] = _mm256_cvtps_epi32(scaled);
        }
        if (scale.inverse == 0.0F) // infinity and NaN would become the smallest integer
            for (__m256i& some : codes)
                some = _mm256_setzero_si256();
        const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(codes[0], codes[1]),
                                             _mm256_add_epi32(codes[2], codes[3]));
        const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(codes[0], codes[1]),
                                                 _mm256_packs_epi32(codes[2], codes[3]));
        _mm256_storeu_si256(
            reinterpret_cast<__m256i_u*>(rows.codes + row * rows.depth + block * kRoundedBlock),
            _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
        const std::int64_t at = row * blocks + block;
        rows.codeSums[at] = sumOfLanes(sum);
        rows.scales[at] = scale.scale;
        rows.sums[at] = scale.scale * static_cast<float>(rows.codeSums[at]);
    }
}

bool multiplyIntegers(BlockFormat format, const IntegerProduct& product)
{
    return multiplyOne(format, product, std::make_index_sequence<kBlockFormats>());
}

#endif

} // namespace headscope::HEADSCOPE_ISA
