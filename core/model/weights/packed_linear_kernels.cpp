// Compiled once per instruction set; see headscope_isa_sources. No inline code of the standard
// library here.
#include "core/model/weights/packed_linear_kernels.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
constexpr int kMaxRows = 12;
#elif defined(__AVX__)
constexpr int kLanes = 8;
constexpr int kMaxRows = 6;
#else
constexpr int kLanes = 4;
constexpr int kMaxRows = 6;
#endif

using Vector = float __attribute__((vector_size(kLanes * sizeof(float)), may_alias));
/// Vector at any float address. The attributes belong to the name: clang ignores `aligned` after
/// the type.
using UnalignedVector __attribute__((aligned(4))) = Vector;

/// Number of columns that one row of a tile keeps in two registers; a panel holds one, two or four
/// such groups.
constexpr std::int64_t kGroupColumns = 2 * kLanes;
constexpr std::int64_t kGroupsPerPanel = kPanelColumns / kGroupColumns;

const float* groupWeights(const PackedProduct& p, std::int64_t group)
{
    return p.panels + group / kGroupsPerPanel * p.depth * kPanelColumns +
           group % kGroupsPerPanel * kGroupColumns;
}

/// Sums of one group in one row: at first the bias, later what an earlier depth left in the output.
/// The last group of the last panel may reach beyond the last column.
void loadGroup(const PackedProduct& p, std::int64_t group, const float* out, Vector* sums)
{
    const std::int64_t first = group * kGroupColumns;
    if (first + kGroupColumns <= p.columns) {
        sums[0] = *reinterpret_cast<const UnalignedVector*>(out + first);
        sums[1] = *reinterpret_cast<const UnalignedVector*>(out + first + kLanes);
        return;
    }
    for (std::int64_t column = first; column < p.columns; ++column)
        sums[(column - first) / kLanes][(column - first) % kLanes] = out[column];
}

void storeGroup(const PackedProduct& p, std::int64_t group, float* out, const Vector* sums)
{
    const std::int64_t first = group * kGroupColumns;
    if (first + kGroupColumns <= p.columns) {
        *reinterpret_cast<UnalignedVector*>(out + first) = sums[0];
        *reinterpret_cast<UnalignedVector*>(out + first + kLanes) = sums[1];
        return;
    }
    for (std::int64_t column = first; column < p.columns; ++column)
        out[column] = sums[(column - first) / kLanes][(column - first) % kLanes];
}

/// Part of the depth that a tile sums up.
struct DepthRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Uses rows x groups x two registers of sums, so that enough independent sums hide the latency of
/// one.
template<int Rows, int Groups>
struct Tile
{
    Vector sums[Rows][Groups * 2];
    const float* in[Rows];
    const float* weights[Groups];

    __attribute__((always_inline)) void add(std::int64_t k)
    {
#pragma GCC unroll 4
        for (int g = 0; g < Groups; ++g) {
            const auto* w = reinterpret_cast<const Vector*>(weights[g] + k * kPanelColumns);
            const Vector w0 = w[0];
            const Vector w1 = w[1];
#pragma GCC unroll 12
            for (int r = 0; r < Rows; ++r) {
                const float x = in[r][k];
                sums[r][2 * g] += w0 * x;
                sums[r][2 * g + 1] += w1 * x;
            }
        }
    }
};

template<int Rows, int Groups>
void multiplyTile(const PackedProduct& p, std::int64_t row, std::int64_t group, DepthRange depth)
{
    Tile<Rows, Groups> tile;
    for (int r = 0; r < Rows; ++r)
        tile.in[r] = p.in + (row + r) * p.inStride;
    for (int g = 0; g < Groups; ++g) {
        tile.weights[g] = groupWeights(p, group + g);
        const auto* bias = reinterpret_cast<const Vector*>(p.bias + (group + g) * kGroupColumns);
        for (int r = 0; r < Rows; ++r) {
            tile.sums[r][2 * g] = bias[0];
            tile.sums[r][2 * g + 1] = bias[1];
            if (depth.begin > 0)
                loadGroup(p, group + g, p.out + (row + r) * p.outStride, &tile.sums[r][2 * g]);
        }
    }
    constexpr std::int64_t kSteps = 8; // fewer leave more time to the loop than to its sums
    std::int64_t k = depth.begin;
    for (; k + kSteps <= depth.end; k += kSteps) {
#pragma GCC unroll 8
        for (std::int64_t step = 0; step < kSteps; ++step)
            tile.add(k + step);
    }
    for (; k < depth.end; ++k)
        tile.add(k);
    for (int r = 0; r < Rows; ++r)
        for (int g = 0; g < Groups; ++g)
            storeGroup(p, group + g, p.out + (row + r) * p.outStride, &tile.sums[r][2 * g]);
}

using Multiply = void (*)(const PackedProduct&, std::int64_t row, std::int64_t group, DepthRange);

/// Tiles of 1, 2, ... rows, so that any number of rows reads the weights as rarely as possible.
constexpr Multiply kTiles[kMaxRows] = {
    multiplyTile<1, 1>,  multiplyTile<2, 1>,  multiplyTile<3, 1>,
    multiplyTile<4, 1>,  multiplyTile<5, 1>,  multiplyTile<6, 1>,
#if defined(__AVX512F__)
    multiplyTile<7, 1>,  multiplyTile<8, 1>,  multiplyTile<9, 1>,
    multiplyTile<10, 1>, multiplyTile<11, 1>, multiplyTile<12, 1>,
#endif
};

/// A few rows alone would wait for their sums: they process several groups at a time.
constexpr int kFewRows = kMaxRows / 4;
constexpr int kWideGroups = 4;
constexpr Multiply kWideTiles[kFewRows] = {
    multiplyTile<1, kWideGroups>,
#if defined(__AVX512F__)
    multiplyTile<2, kWideGroups>,
    multiplyTile<3, kWideGroups>,
#endif
};

/// Depth whose weights of one group stay in the first-level cache while every tile reads them.
constexpr std::int64_t kCachedDepth = 4096 / kGroupColumns;

/// Splits all rows into as few tiles of nearly equal height as possible.
void multiplyRows(const PackedProduct& p, std::int64_t group)
{
    const std::int64_t tiles = (p.rows + kMaxRows - 1) / kMaxRows;
    const std::int64_t step = tiles > 1 ? kCachedDepth : p.depth;
    for (std::int64_t k = 0; k < p.depth; k += step) {
        const DepthRange depth{k, k + step < p.depth ? k + step : p.depth};
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            const std::int64_t row = p.rows * tile / tiles;
            kTiles[p.rows * (tile + 1) / tiles - row - 1](p, row, group, depth);
        }
    }
}

} // namespace

void multiplyPanels(const PackedProduct& product)
{
    std::int64_t group = product.firstPanel * kGroupsPerPanel;
    const std::int64_t end = product.lastPanel * kGroupsPerPanel;
    if (product.rows > 0 && product.rows <= kFewRows)
        for (; group + kWideGroups <= end; group += kWideGroups)
            kWideTiles[product.rows - 1](product, 0, group, {0, product.depth});
    for (; group < end; ++group)
        multiplyRows(product, group);
}

} // namespace headscope::HEADSCOPE_ISA
