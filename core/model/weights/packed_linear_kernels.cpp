// Compiled once per instruction set; see headscope_isa_sources. No inline code of the standard
// library here.
#include "core/model/weights/packed_linear_kernels.h"

#include "core/model/weights/half_widening.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int kMaxRows = 12;
#else
constexpr int kMaxRows = 6;
#endif

using Vector = FloatVector;
using AlignedVector __attribute__((may_alias)) = FloatVector;
using UnalignedVector = UnalignedFloatVector;

/// Number of columns that one row of a tile keeps in two registers; a panel holds one, two or four
/// such groups.
constexpr std::int64_t kGroupColumns = 2 * kLanes;
constexpr std::int64_t kGroupsPerPanel = kPanelColumns / kGroupColumns;

/// Part of the depth that a tile sums up.
struct DepthRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// How panels store weights, and a register of them as floats.
template<WeightPrecision Precision>
struct Weights
{
    using Stored = unsigned short;

    static HEADSCOPE_INLINE Vector load(const Stored* place)
    {
        const Shorts shorts = *reinterpret_cast<const UnalignedShorts*>(place);
        return Precision == WeightPrecision::Float16 ? halvesAsFloats(shorts)
                                                     : bfloatsAsFloats(shorts);
    }
};

template<>
struct Weights<WeightPrecision::Float32>
{
    using Stored = float;

    static HEADSCOPE_INLINE Vector load(const Stored* place)
    {
        return *reinterpret_cast<const AlignedVector*>(place);
    }
};

template<WeightPrecision Precision>
const typename Weights<Precision>::Stored* groupWeights(const PackedProduct& p, std::int64_t group)
{
    return static_cast<const typename Weights<Precision>::Stored*>(p.panels) +
           group / kGroupsPerPanel * p.depth * kPanelColumns +
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

/// Uses rows x groups x two registers of sums, so that enough independent sums hide the latency of
/// one.
template<WeightPrecision Precision, int Rows, int Groups>
struct Tile
{
    Vector sums[Rows][Groups * 2];
    const float* in[Rows];
    const typename Weights<Precision>::Stored* weights[Groups];

    HEADSCOPE_INLINE void add(std::int64_t k)
    {
#pragma GCC unroll 4
        for (int g = 0; g < Groups; ++g) {
            const auto* const w = weights[g] + k * kPanelColumns;
            const Vector w0 = Weights<Precision>::load(w);
            const Vector w1 = Weights<Precision>::load(w + kLanes);
#pragma GCC unroll 12
            for (int r = 0; r < Rows; ++r) {
                const float x = in[r][k];
                sums[r][2 * g] += w0 * x;
                sums[r][2 * g + 1] += w1 * x;
            }
        }
    }
};

template<WeightPrecision Precision, int Rows, int Groups>
void multiplyTile(const PackedProduct& p, std::int64_t row, std::int64_t group, DepthRange depth)
{
    Tile<Precision, Rows, Groups> tile;
    for (int r = 0; r < Rows; ++r)
        tile.in[r] = p.in + (row + r) * p.inStride + depth.begin;
    for (int g = 0; g < Groups; ++g) {
        tile.weights[g] = groupWeights<Precision>(p, group + g) + depth.begin * kPanelColumns;
        const auto* bias =
            reinterpret_cast<const AlignedVector*>(p.bias + (group + g) * kGroupColumns);
        for (int r = 0; r < Rows; ++r) {
            tile.sums[r][2 * g] = bias[0];
            tile.sums[r][2 * g + 1] = bias[1];
            if (depth.begin > 0)
                loadGroup(p, group + g, p.out + (row + r) * p.outStride, &tile.sums[r][2 * g]);
        }
    }
    constexpr std::int64_t kSteps = 8; // fewer leave more time to the loop than to its sums
    const std::int64_t count = depth.end - depth.begin;
    std::int64_t k = 0;
    for (; k + kSteps <= count; k += kSteps) {
#pragma GCC unroll 8
        for (std::int64_t step = 0; step < kSteps; ++step)
            tile.add(k + step);
    }
    for (; k < count; ++k)
        tile.add(k);
    for (int r = 0; r < Rows; ++r)
        for (int g = 0; g < Groups; ++g)
            storeGroup(p, group + g, p.out + (row + r) * p.outStride, &tile.sums[r][2 * g]);
}

using Multiply = void (*)(const PackedProduct&, std::int64_t row, std::int64_t group, DepthRange);

/// A few rows alone would wait for their sums: they process several groups at a time, as many as
/// have registers for their sums.
constexpr int kFewRows = 3;

constexpr int wideGroups(int rows)
{
    return rows == 1 || kMaxRows > 6 ? 4 : 2;
}

/// Tiles of 1, 2, ... rows, so that any number of rows reads the weights as rarely as possible.
template<WeightPrecision Precision>
constexpr Multiply kTiles[kMaxRows] = {
    multiplyTile<Precision, 1, 1>,  multiplyTile<Precision, 2, 1>,  multiplyTile<Precision, 3, 1>,
    multiplyTile<Precision, 4, 1>,  multiplyTile<Precision, 5, 1>,  multiplyTile<Precision, 6, 1>,
#if defined(__AVX512F__)
    multiplyTile<Precision, 7, 1>,  multiplyTile<Precision, 8, 1>,  multiplyTile<Precision, 9, 1>,
    multiplyTile<Precision, 10, 1>, multiplyTile<Precision, 11, 1>, multiplyTile<Precision, 12, 1>,
#endif
};

template<WeightPrecision Precision>
constexpr Multiply kWideTiles[kFewRows] = {
    multiplyTile<Precision, 1, wideGroups(1)>,
    multiplyTile<Precision, 2, wideGroups(2)>,
    multiplyTile<Precision, 3, wideGroups(3)>,
};

/// Depth whose weights of one group stay in the first-level cache while every tile reads them.
constexpr std::int64_t kCachedDepth = 4096 / kGroupColumns;

/// Splits all rows into as few tiles of nearly equal height as possible.
template<WeightPrecision Precision>
void multiplyRows(const PackedProduct& p, std::int64_t group)
{
    const std::int64_t tiles = (p.rows + kMaxRows - 1) / kMaxRows;
    const std::int64_t step = tiles > 1 ? kCachedDepth : p.depth;
    for (std::int64_t k = 0; k < p.depth; k += step) {
        const DepthRange depth{k, k + step < p.depth ? k + step : p.depth};
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            const std::int64_t row = p.rows * tile / tiles;
            const std::int64_t rows = p.rows * (tile + 1) / tiles - row;
            kTiles<Precision>[rows - 1](p, row, group, depth);
        }
    }
}

template<WeightPrecision Precision>
void multiplyAs(const PackedProduct& p)
{
    std::int64_t group = p.firstPanel * kGroupsPerPanel;
    const std::int64_t end = p.lastPanel * kGroupsPerPanel;
    if (p.rows > 0 && p.rows <= kFewRows) {
        const int groups = wideGroups(static_cast<int>(p.rows));
        for (; group + groups <= end; group += groups)
            kWideTiles<Precision>[p.rows - 1](p, 0, group, {0, p.depth});
    }
    for (; group < end; ++group)
        multiplyRows<Precision>(p, group);
}

} // namespace

void multiplyPanels(const PackedProduct& product)
{
    switch (product.precision) {
    case WeightPrecision::Float32:
        return multiplyAs<WeightPrecision::Float32>(product);
    case WeightPrecision::Float16:
        return multiplyAs<WeightPrecision::Float16>(product);
    case WeightPrecision::BFloat16:
        return multiplyAs<WeightPrecision::BFloat16>(product);
    }
}

} // namespace headscope::HEADSCOPE_ISA
