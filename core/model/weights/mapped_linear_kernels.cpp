// Compiled once per instruction set; see headscope_isa_sources. No inline code of the standard
// library here.
#include "core/model/weights/mapped_linear_kernels.h"

#include "core/model/weights/mapped_linear_sums.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int kMaxRows = 6;
#elif defined(__AVX__)
constexpr int kMaxRows = 3;
#else
constexpr int kMaxRows = 2;
#endif

using FloatsAnywhere __attribute__((aligned(1), may_alias)) = FloatVector;

HEADSCOPE_INLINE FloatVector loadAnywhere(const unsigned char* place)
{
    return *reinterpret_cast<const FloatsAnywhere*>(place);
}

HEADSCOPE_INLINE FloatVector loadAnywhere(const unsigned char* place, std::int64_t count)
{
    float values[kLanes] = {};
    __builtin_memcpy(values, place, static_cast<unsigned long>(count) * sizeof(float));
    return load(values);
}

/// Uses rows x columns registers of sums, so that enough independent sums hide the latency of one.
template<int Rows, int Columns>
void multiplyTile(const RowProduct& p, std::int64_t row, std::int64_t column)
{
    FloatVector sums[Rows][Columns] = {};
    const unsigned char* weights[Columns];
    for (int c = 0; c < Columns; ++c)
        weights[c] = p.weights[column + c];
    const float* const in = p.in + row * p.inStride;
    std::int64_t k = 0;
    for (; k + kLanes <= p.depth; k += kLanes) {
        FloatVector x[Rows];
#pragma GCC unroll 6
        for (int r = 0; r < Rows; ++r)
            x[r] = load(in + r * p.inStride + k);
#pragma GCC unroll 8
        for (int c = 0; c < Columns; ++c) {
            const FloatVector w = loadAnywhere(weights[c] + 4 * k);
#pragma GCC unroll 6
            for (int r = 0; r < Rows; ++r)
                sums[r][c] = multiplyAdd(w, x[r], sums[r][c]);
        }
    }
    if (k < p.depth) {
        for (int c = 0; c < Columns; ++c) {
            const FloatVector w = loadAnywhere(weights[c] + 4 * k, p.depth - k);
            for (int r = 0; r < Rows; ++r)
                sums[r][c] = multiplyAdd(w, load(in + r * p.inStride + k, p.depth - k), sums[r][c]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int c = 0; c < Columns; c += kTileColumns)
            storeSums(p, row + r, column + c, sumsOfFour(&sums[r][c]));
}

using Multiply = void (*)(const RowProduct&, std::int64_t row, std::int64_t column);

constexpr int kTile = kTileColumns;
constexpr Multiply kTiles[kMaxRows] = {
    multiplyTile<1, kTile>, multiplyTile<2, kTile>,
#if defined(__AVX__)
    multiplyTile<3, kTile>,
#endif
#if defined(__AVX512F__)
    multiplyTile<4, kTile>, multiplyTile<5, kTile>, multiplyTile<6, kTile>,
#endif
};

} // namespace

void multiplyRows(const RowProduct& product)
{
    const std::int64_t tiles = (product.rows + kMaxRows - 1) / kMaxRows;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const std::int64_t row = product.rows * tile / tiles;
        const std::int64_t count = product.rows * (tile + 1) / tiles - row;
        std::int64_t column = 0;
        if (count == 1) // a single row would wait for its sums
            for (; column + 2 * kTile <= product.columns; column += 2 * kTile)
                multiplyTile<1, 2 * kTile>(product, row, column);
        for (; column < product.columns; column += kTile)
            kTiles[count - 1](product, row, column);
    }
}

} // namespace headscope::HEADSCOPE_ISA
