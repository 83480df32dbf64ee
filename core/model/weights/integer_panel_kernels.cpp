// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/weights/integer_linear_kernels.h"

#if defined(__AVX2__)
#include "core/model/weights/integer_formats.h"
#include "core/model/weights/integer_sums.h"
#endif

namespace headscope::HEADSCOPE_ISA {

#if defined(__AVX2__)

namespace {

constexpr int kVectorColumns = 8;
constexpr int kVectors = 2; ///< Vectors of columns per panel.
constexpr int kColumns = kVectorColumns * kVectors;
constexpr int kSteps = 8; ///< Steps of four codes per block.
/// Number of rows per tile, whose integer sums stay in registers.
constexpr int kTileRows = 4;
constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kBlockBytes = kSteps * kColumns * 4;

/// Sixteen columns of codes that many rows share: in steps of four codes, step by step [columns, 4].
template<BlockFormat Format>
struct Panel
{
    using Blocks = IntegerBlocks<Format>;
    static constexpr int parts = Blocks::hasHalves ? 2 : 1; ///< Parts of a block with one scale.

    unsigned char* codes;
    float* scales;   ///< Scales [blocks, parts, columns].
    float* minimums; ///< Minimums [blocks, columns].

    HEADSCOPE_INLINE explicit Panel(const IntegerProduct& p)
        : codes(p.panel)
        , scales(reinterpret_cast<float*>(codes + p.in.depth / kRoundedBlock * kBlockBytes))
        , minimums(scales + p.in.depth / kRoundedBlock * parts * kColumns)
    {
    }
};

HEADSCOPE_INLINE __m256i across(__m256i a, __m256i b, bool high)
{
    return high ? _mm256_permute2x128_si256(a, b, 0x31) : _mm256_permute2x128_si256(a, b, 0x20);
}

/// Stores row `step` of a transposed matrix of 8 x 8 steps at out + step * kColumns * 4.
HEADSCOPE_INLINE void storeSteps(const __m256i* columns, unsigned char* out)
{
    __m256i four[2][4]; // [columns / 4][step % 4]: four columns of steps i and i + 4
#pragma GCC unroll 16
    for (int part = 0; part < 2; ++part) {
        const __m256i* const c = columns + 4 * part;
        const __m256i low01 = _mm256_unpacklo_epi32(c[0], c[1]);
        const __m256i high01 = _mm256_unpackhi_epi32(c[0], c[1]);
        const __m256i low23 = _mm256_unpacklo_epi32(c[2], c[3]);
        const __m256i high23 = _mm256_unpackhi_epi32(c[2], c[3]);
        four[part][0] = _mm256_unpacklo_epi64(low01, low23);
        four[part][1] = _mm256_unpackhi_epi64(low01, low23);
        four[part][2] = _mm256_unpacklo_epi64(high01, high23);
        four[part][3] = _mm256_unpackhi_epi64(high01, high23);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kSteps; ++i)
        _mm256_store_si256(reinterpret_cast<__m256i*>(out + i * kColumns * 4),
                           across(four[0][i % 4], four[1][i % 4], i >= 4));
}

/// Fills eight columns of a panel from rows of blocks.
template<BlockFormat Format>
class PanelWriter
{
public:
    HEADSCOPE_INLINE PanelWriter(const Panel<Format>& panel, const BlockBytes* weights, int first)
        : m_panel(panel)
        , m_first(first)
    {
#pragma GCC unroll 16
        for (int c = 0; c < kVectorColumns; ++c)
            m_weights[c] = weights[c];
    }

    HEADSCOPE_INLINE void write(std::int64_t blocks)
    {
        for (std::int64_t block = 0; block < blocks; block += Scales::groups) {
            writeScales(block, 0);
            writeScales(block, 4);
            writeGroups<0>(block);
#pragma GCC unroll 8
            for (BlockBytes& place : m_weights)
                place += layoutOf(Format).bytes;
        }
    }

private:
    using Blocks = IntegerBlocks<Format>;
    using Scales = ColumnScales<Format>;

    HEADSCOPE_INLINE void writeScales(std::int64_t block, int column)
    {
        constexpr int parts = Panel<Format>::parts;
        const Scales of(m_weights + column);
        float* const scales = m_panel.scales + block * parts * kColumns + m_first + column;
#pragma GCC unroll 16
        for (int i = 0; i < Scales::scaleCount; ++i)
            _mm_store_ps(scales + i * kColumns, of.scales[i]);
        if constexpr (Blocks::hasMinimum)
#pragma GCC unroll 16
            for (int i = 0; i < Scales::groups; ++i)
                _mm_store_ps(m_panel.minimums + (block + i) * kColumns + m_first + column,
                             of.minimums[i]);
    }

    template<int Group>
    HEADSCOPE_INLINE void writeGroups(std::int64_t block)
    {
        __m256i codes[kVectorColumns];
#pragma GCC unroll 16
        for (int c = 0; c < kVectorColumns; ++c)
            codes[c] = Blocks::template codes<Group>(m_weights[c]);
        storeSteps(codes, m_panel.codes + (block + Group) * kBlockBytes + 4 * m_first);
        if constexpr (Group + 1 < Scales::groups)
            writeGroups<Group + 1>(block);
    }

    Panel<Format> m_panel;
    BlockBytes m_weights[kVectorColumns];
    int m_first;
};

HEADSCOPE_INLINE void storeColumns(const IntegerProduct& p, std::int64_t row, std::int64_t column,
                                   __m256 sums)
{
    alignas(32) float results[kVectorColumns];
    float* const out = p.out + row * p.outStride + column;
    if (column + kVectorColumns <= p.columns) {
        _mm256_storeu_ps(
            out, p.bias != nullptr ? _mm256_add_ps(sums, _mm256_loadu_ps(p.bias + column)) : sums);
        return;
    }
    _mm256_store_ps(results, sums);
    for (std::int64_t c = 0; column + c < p.columns; ++c)
        out[c] = p.bias != nullptr ? results[c] + p.bias[column + c] : results[c];
}

/// Keeps the compiler from adding up in another order, for which registers do not suffice: 75
/// multiply-adds per nanosecond become 110.
HEADSCOPE_INLINE void inOrder(__m256i& sum)
{
    asm("" : "+x"(sum));
}

/// Products of a few rows with a panel.
template<BlockFormat Format, int Rows>
class PanelTile
{
public:
    HEADSCOPE_INLINE PanelTile(const IntegerProduct& product, std::int64_t row)
        : m_product(product)
        , m_panel(product)
        , m_row(row)
        , m_blocks(product.in.depth / kRoundedBlock)
    {
    }

    HEADSCOPE_INLINE void multiply(std::int64_t column)
    {
        __m256 sums[Rows][kVectors] = {};
        for (std::int64_t block = 0; block < m_blocks; ++block) {
            if (m_row == 0)
                prefetchNext(column, block);
            addPart<0>(block, sums);
            if constexpr (parts == 2)
                addPart<1>(block, sums);
        }
        if constexpr (Blocks::hasMinimum)
            addMinimums(sums);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v)
                storeColumns(m_product, m_row + r, column + v * kVectorColumns, sums[r][v]);
    }

private:
    using Blocks = IntegerBlocks<Format>;
    static constexpr int parts = Panel<Format>::parts;
    static constexpr int steps = kSteps / parts;
    static constexpr int stretch = stepsThatFit<Blocks>() < steps ? stepsThatFit<Blocks>() : steps;
    static_assert(Blocks::offset == 0 || stretch == steps);

    using Sums = __m256 (&)[Rows][kVectors];
    using Totals = __m256i (&)[Rows][kVectors];

    std::int64_t place(int r, std::int64_t block) const
    {
        return (m_row + r) * m_blocks + block;
    }

    /// Loads the next panel's share of a block while the first rows are multiplied: its rows follow
    /// in the file.
    HEADSCOPE_INLINE void prefetchNext(std::int64_t column, std::int64_t block) const
    {
        constexpr std::int64_t bytes =
            kColumns * layoutOf(Format).bytes * kRoundedBlock / layoutOf(Format).values;
        const BlockBytes next = m_product.weights[column] + (m_blocks + block) * bytes;
#pragma GCC unroll 16
        for (std::int64_t line = 0; line < bytes; line += kCacheLine)
            __builtin_prefetch(next + line, 0, 2);
    }

    template<int Part>
    HEADSCOPE_INLINE void addPart(std::int64_t block, Sums sums)
    {
        __m256i totals[Rows][kVectors] = {};
        if constexpr (kHasVnni)
            addSteps<Part>(block, totals);
        else
#pragma GCC unroll 8
            for (int step = 0; step < steps; step += stretch)
                addStretch<Part>(block, Part * steps + step, totals);
        const float* const scales = m_panel.scales + (block * parts + Part) * kColumns;
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
            const __m256 in = _mm256_set1_ps(m_product.in.scales[place(r, block)]);
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v) {
                const __m256 scale = _mm256_mul_ps(_mm256_load_ps(scales + v * kVectorColumns), in);
                sums[r][v] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(totals[r][v]), scale, sums[r][v]);
            }
        }
    }

    /// What the offset takes off the products of row r, in 16 bits: sums start there.
    template<int Part>
    HEADSCOPE_INLINE __m256i start(int r, std::int64_t block) const
    {
        const auto* const at =
            reinterpret_cast<BlockBytes>(m_product.in.codeSums + 4 * place(r, block));
        const __m256i first = _mm256_set1_epi32(fourBytes(at));
        const __m256i second = _mm256_set1_epi32(fourBytes(at + 4));
        const __m256i sums = parts == 1  ? _mm256_add_epi16(first, second)
                             : Part == 0 ? first
                                         : second;
        return _mm256_mullo_epi16(sums, _mm256_set1_epi16(-Blocks::offset));
    }

    HEADSCOPE_INLINE __m256i rounded(int r, std::int64_t block, int step) const
    {
        return _mm256_set1_epi32(fourBytes(reinterpret_cast<BlockBytes>(m_product.in.codes) +
                                           place(r, block) * 32 + 4 * step));
    }

    HEADSCOPE_INLINE __m256i codes(std::int64_t block, int step, int v) const
    {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(
            m_panel.codes + block * kBlockBytes + (step * kVectors + v) * 32));
    }

    template<int Part>
    HEADSCOPE_INLINE void addSteps(std::int64_t block, Totals totals) const
    {
        if constexpr (Blocks::offset != 0)
#pragma GCC unroll 16
            for (int r = 0; r < Rows; ++r)
                totals[r][0] = totals[r][1] = sumsOfPairs(start<Part>(r, block));
#pragma GCC unroll 8
        for (int step = Part * steps; step < (Part + 1) * steps; ++step)
#pragma GCC unroll 16
            for (int r = 0; r < Rows; ++r) {
                const __m256i in = rounded(r, block, step);
#pragma GCC unroll 16
                for (int v = 0; v < kVectors; ++v)
                    totals[r][v] = addProducts<Blocks>(totals[r][v], codes(block, step, v), in);
            }
    }

    template<int Part>
    HEADSCOPE_INLINE void addStretch(std::int64_t block, int first, Totals totals) const
    {
        __m256i pairs[Rows][kVectors] = {};
        if constexpr (Blocks::offset != 0)
#pragma GCC unroll 16
            for (int r = 0; r < Rows; ++r)
                pairs[r][0] = pairs[r][1] = start<Part>(r, block);
#pragma GCC unroll 8
        for (int step = first; step < first + stretch; ++step)
#pragma GCC unroll 16
            for (int r = 0; r < Rows; ++r) {
                const __m256i in = rounded(r, block, step);
#pragma GCC unroll 16
                for (int v = 0; v < kVectors; ++v) {
                    pairs[r][v] = _mm256_add_epi16(
                        pairs[r][v], productsOfPairs<Blocks>(codes(block, step, v), in));
                    inOrder(pairs[r][v]);
                }
            }
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v)
                totals[r][v] = _mm256_add_epi32(totals[r][v], sumsOfPairs(pairs[r][v]));
    }

    HEADSCOPE_INLINE void addMinimums(Sums sums) const
    {
        __m256 minimums[Rows][kVectors] = {};
        for (std::int64_t block = 0; block < m_blocks; ++block)
#pragma GCC unroll 16
            for (int r = 0; r < Rows; ++r) {
                const __m256 in = _mm256_set1_ps(m_product.in.sums[place(r, block)]);
#pragma GCC unroll 16
                for (int v = 0; v < kVectors; ++v)
                    minimums[r][v] = _mm256_fmadd_ps(
                        _mm256_load_ps(m_panel.minimums + block * kColumns + v * kVectorColumns),
                        in, minimums[r][v]);
            }
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v)
                sums[r][v] = _mm256_add_ps(sums[r][v], minimums[r][v]);
    }

    const IntegerProduct& m_product;
    Panel<Format> m_panel;
    std::int64_t m_row;
    std::int64_t m_blocks;
};

template<BlockFormat Format>
void writePanel(const IntegerProduct& p, std::int64_t column)
{
#pragma GCC unroll 16
    for (int first = 0; first < kColumns; first += kVectorColumns) {
        BlockBytes weights[kVectorColumns];
#pragma GCC unroll 16
        for (int c = 0; c < kVectorColumns; ++c) {
            const std::int64_t at = column + first + c;
            weights[c] = p.weights[at < p.columns ? at : p.columns - 1];
        }
        PanelWriter<Format>(Panel<Format>(p), weights, first).write(p.in.depth / kRoundedBlock);
    }
}

using MultiplyPanel = void (*)(const IntegerProduct&, std::int64_t row, std::int64_t column);

template<BlockFormat Format, int Rows>
void multiplyPanel(const IntegerProduct& p, std::int64_t row, std::int64_t column)
{
    PanelTile<Format, Rows>(p, row).multiply(column);
}

template<BlockFormat Format, int... Less>
void multiplyTiles(const IntegerProduct& p, std::int64_t column,
                   std::integer_sequence<int, Less...>)
{
    constexpr MultiplyPanel multiplies[] = {multiplyPanel<Format, Less + 1>...};
    const std::int64_t tiles = (p.rows + kTileRows - 1) / kTileRows;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const std::int64_t row = p.rows * tile / tiles;
        multiplies[p.rows * (tile + 1) / tiles - row - 1](p, row, column);
    }
}

template<BlockFormat Format>
struct PanelKernel
{
    static void multiply(const IntegerProduct& p)
    {
        for (std::int64_t column = 0; column < p.columns; column += kColumns) {
            writePanel<Format>(p, column);
            multiplyTiles<Format>(p, column, std::make_integer_sequence<int, kTileRows>{});
        }
    }
};

} // namespace

bool multiplyIntegerPanels(BlockFormat format, const IntegerProduct& product)
{
    return multiplyFormat<PanelKernel>(format, product);
}

#endif

} // namespace headscope::HEADSCOPE_ISA
