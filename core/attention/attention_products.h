#pragma once

#include "core/attention/attention_vectors.h"

// Products of small matrices in registers. Same rules as attention_vectors.h.

namespace headscope {
namespace {

constexpr std::int64_t kPanelKeys = kColumns * kLanes;
/// Elements of a tile row, and channels of the first operand taken at a time.
constexpr std::int64_t kTile = 128;
/// Stride between rows of a tile: not a power of two, so that rows share no cache sets. Known at
/// compile time, so that all rows are one pointer and constant distances.
constexpr std::int64_t kTileStride = kTile + 16;

/// Memory layout of the first operand: element (row, depth).
enum class Layout {
    Rows,   ///< Element at row * kTileStride + depth.
    Columns ///< Element at depth * kTileStride + row.
};

struct Product
{
    const float* a;
    const float* b; ///< Second operand [depth, columns].
    std::int64_t bStride;
    std::int64_t depth;
    float* c; ///< Result [rows, columns].
    std::int64_t cStride;
    bool accumulate;
};

/// Computes c [rows, columns * kLanes] (+)= a b, everything in registers.
template<int rows, int columns, Layout layout>
void multiplyBlock(const Product& product)
{
    constexpr std::int64_t rowStep = layout == Layout::Rows ? kTileStride : 1;
    constexpr std::int64_t depthStep = layout == Layout::Rows ? 1 : kTileStride;
    FloatVector sums[rows][columns];
#pragma GCC unroll 12
    for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 4
        for (int column = 0; column < columns; ++column)
            sums[row][column] = product.accumulate
                                    ? load(product.c + row * product.cStride + column * kLanes)
                                    : FloatVector{};
    }
    const float* a = product.a;
    const float* b = product.b;
    for (std::int64_t depth = 0; depth < product.depth; ++depth) {
        FloatVector right[columns];
#pragma GCC unroll 4
        for (int column = 0; column < columns; ++column)
            right[column] = load(b + column * kLanes);
#pragma GCC unroll 12
        for (int row = 0; row < rows; ++row) {
            const FloatVector left = broadcast(a[row * rowStep]);
#pragma GCC unroll 4
            for (int column = 0; column < columns; ++column)
                sums[row][column] += left * right[column];
        }
        a += depthStep;
        b += product.bStride;
    }
#pragma GCC unroll 12
    for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 4
        for (int column = 0; column < columns; ++column)
            store(product.c + row * product.cStride + column * kLanes, sums[row][column]);
    }
}

using Multiply = void (*)(const Product&);

/// Kernels by number of rows minus one, then of columns minus one.
template<Layout layout>
struct MultiplyTable
{
#define HEADSCOPE_ROW(rows)                                                                        \
    {                                                                                              \
        multiplyBlock<rows, 1, layout>, multiplyBlock<rows, 2, layout>                             \
    }
    static constexpr Multiply kBlocks[kRows][kColumns] = {
        HEADSCOPE_ROW(1),  HEADSCOPE_ROW(2),  HEADSCOPE_ROW(3), HEADSCOPE_ROW(4),
#if defined(__AVX2__)
        HEADSCOPE_ROW(5),  HEADSCOPE_ROW(6),
#endif
#if defined(__AVX512F__)
        HEADSCOPE_ROW(7),  HEADSCOPE_ROW(8),  HEADSCOPE_ROW(9), HEADSCOPE_ROW(10),
        HEADSCOPE_ROW(11), HEADSCOPE_ROW(12),
#endif
    };
#undef HEADSCOPE_ROW
};

/// Rows per block when `count` rows are split evenly into as few blocks as possible.
HEADSCOPE_INLINE std::int64_t evenRows(std::int64_t count)
{
    const std::int64_t blocks = (count + kRows - 1) / kRows;
    return blocks == 0 ? 1 : (count + blocks - 1) / blocks;
}

/// Computes c [rows, columns] (+)= a b, columns rounded up to lanes.
template<Layout layout>
void multiply(Product product, std::int64_t rows, std::int64_t columns)
{
    const std::int64_t step = evenRows(rows);
    constexpr std::int64_t rowStep = layout == Layout::Rows ? kTileStride : 1;
    const Product whole = product;
    for (std::int64_t row = 0; row < rows; row += step) {
        const Multiply* blocks = MultiplyTable<layout>::kBlocks[smaller(step, rows - row) - 1];
        product.a = whole.a + row * rowStep;
        for (std::int64_t column = 0; column < columns; column += kPanelKeys) {
            product.b = whole.b + column;
            product.c = whole.c + row * whole.cStride + column;
            blocks[columns - column > kLanes ? 1 : 0](product);
        }
    }
}

} // namespace
} // namespace headscope
