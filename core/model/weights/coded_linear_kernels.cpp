// Compiled once per instruction set, without contraction of product and sum; see
// headscope_isa_sources. No inline code of the standard library here.
#include "core/model/layers/block_values.h"
#include "core/model/weights/mapped_linear_sums.h"

#include <utility>

namespace headscope::HEADSCOPE_ISA {

#if defined(__AVX2__)

namespace {

/// Prefetch distance in bytes, line by line. Processors prefetch too little of four rows at once by
/// themselves (128 weights in Q8_0: 7 ns, without 25).
constexpr std::int64_t kAhead = 4096;
constexpr std::int64_t kCacheLine = 64;

/// Number of columns whose sums stay in registers: kTileColumns for a few rows, two for many.
constexpr int columnsFor(int rows)
{
    return rows <= 4 ? static_cast<int>(kTileColumns) : 2;
}

template<BlockFormat Format, int Rows>
void multiplyTile(const RowProduct& p, std::int64_t column)
{
    constexpr BlockLayout layout = layoutOf(Format);
    constexpr int columns = columnsFor(Rows);
    constexpr int sumRows =
        (Rows * columns + kTileColumns - 1) / kTileColumns * kTileColumns / columns;
    FloatVector sums[sumRows][columns];
    for (auto& row : sums)
        for (FloatVector& sum : row)
            sum = FloatVector{};
    const unsigned char* weights[columns];
    for (int c = 0; c < columns; ++c)
        weights[c] = p.weights[column + c];
    // Rows are neighbours in the file, so a tile is one contiguous range of it.
    constexpr std::int64_t stretch = columns * layout.bytes;
    const unsigned char* ahead = weights[0] + kAhead;
    constexpr bool grouped = Rows >= kGroupedRows;
    const float* in = grouped ? p.groupedIn : p.in;
    const std::int64_t rowStride = grouped ? kGroup : p.inStride;
    constexpr std::int64_t valueStride = grouped ? Rows : 1;
    for (std::int64_t first = 0; first < p.depth;
         first += layout.values, in += layout.values * valueStride) {
        BlockValues<Format> blocks[columns];
#pragma GCC unroll 4
        for (int c = 0; c < columns; ++c)
            blocks[c].read(weights[c]);
#pragma GCC unroll 2
        for (std::int64_t i = 0; i < layout.values; i += kLanes) {
            FloatVector values[columns];
#pragma GCC unroll 4
            for (int c = 0; c < columns; ++c)
                values[c] = blocks[c].at(i);
#pragma GCC unroll 12
            for (int r = 0; r < Rows; ++r) {
                const FloatVector x = load(in + i * valueStride + r * rowStride);
#pragma GCC unroll 4
                for (int c = 0; c < columns; ++c)
                    sums[r][c] = multiplyAdd(values[c], x, sums[r][c]);
            }
        }
#pragma GCC unroll 16
        for (std::int64_t line = 0; line < stretch; line += kCacheLine)
            __builtin_prefetch(ahead + line);
        ahead += stretch;
#pragma GCC unroll 4
        for (int c = 0; c < columns; ++c)
            weights[c] += layout.bytes;
    }
    if constexpr (columns == kTileColumns)
        for (int r = 0; r < Rows; ++r)
            storeSums(p, r, column, sumsOfFour(sums[r]));
    else
        for (int r = 0; r < Rows; r += 2)
            storePairs(p, r, column, sumsOfFour(sums[r]));
}

using Multiply = void (*)(const RowProduct&, std::int64_t column);

template<BlockFormat Format, int... Less>
void multiplyColumns(const RowProduct& p, std::integer_sequence<int, Less...>)
{
    constexpr Multiply tiles[] = {multiplyTile<Format, Less + 1>...};
    const int columns = columnsFor(static_cast<int>(p.rows));
    for (std::int64_t column = 0; column < p.columns; column += columns)
        tiles[p.rows - 1](p, column);
}

/// False for formats whose rows are unpacked first.
template<BlockFormat Format>
bool multiply(const RowProduct& p)
{
    constexpr bool known = layoutOf(Format).multipliesCodes;
    if constexpr (known)
        multiplyColumns<Format>(p, std::make_integer_sequence<int, kMostCodedRows>{});
    return known;
}

template<std::size_t... Format>
bool multiplyOne(BlockFormat format, const RowProduct& p, std::index_sequence<Format...>)
{
    constexpr bool (*multiplies[])(const RowProduct&) = {
        multiply<static_cast<BlockFormat>(Format)>...};
    return multiplies[static_cast<std::size_t>(format)](p);
}

} // namespace

bool multiplyCodes(BlockFormat format, const RowProduct& product)
{
    if (product.rows < 1 || product.rows > kMostCodedRows)
        return false;
    return multiplyOne(format, product, std::make_index_sequence<kBlockFormats>());
}

#else

bool multiplyCodes(BlockFormat, const RowProduct&)
{
    return false;
}

#endif

} // namespace headscope::HEADSCOPE_ISA
