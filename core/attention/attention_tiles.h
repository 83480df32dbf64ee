#pragma once

#include "core/attention/attention_kernels.h"
#include "core/attention/attention_vectors.h"

// Pieces that the forward and backward loops share. Same rules as attention_vectors.h.

namespace headscope {
namespace {

constexpr std::int64_t kPanelKeys = kColumns * kLanes;
/// Elements of a tile row, and channels of the first operand taken at a time.
constexpr std::int64_t kTile = 128;
/// From one row of a tile to the next: not a power of two, so that rows share no cache sets. Known
/// at compile time, so that all rows are one pointer and constant distances.
constexpr std::int64_t kTileStride = kTile + 16;

/// How the first operand lies in memory: element (row, depth).
enum class Layout {
    Rows,   ///< row * kTileStride + depth
    Columns ///< depth * kTileStride + row
};

struct Product
{
    const float* a;
    const float* b; ///< [depth, columns]
    std::int64_t bStride;
    std::int64_t depth;
    float* c; ///< [rows, columns]
    std::int64_t cStride;
    bool accumulate;
};

/// c [rows, columns * kLanes] (+)= a b, everything in registers.
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

/// By the number of rows minus one, then of columns minus one.
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

/// c [rows, columns] (+)= a b, columns rounded up to lanes.
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

/// Rows of a query-like operand, cut into chunks of kTile channels: [chunk][row][kTileStride].
struct RowChunks
{
    float* data;
    std::int64_t rows;
    std::int64_t dim;

    std::int64_t chunkFloats() const { return rows * kTileStride; }
};

HEADSCOPE_INLINE std::int64_t chunkCount(std::int64_t dim)
{
    return (dim + kTile - 1) / kTile;
}

/// chunks = factor * source rows, padded with zeros to whole vectors.
inline void copyRows(const float* source, std::int64_t stride, float factor,
                     const RowChunks& chunks)
{
    for (std::int64_t row = 0; row < chunks.rows; ++row) {
        const float* from = source + row * stride;
        for (std::int64_t first = 0; first < chunks.dim; first += kTile) {
            float* to = chunks.data + first / kTile * chunks.chunkFloats() + row * kTileStride;
            const float* part = from + first;
            forEachVector(smaller(kTile, chunks.dim - first),
                          [&](std::int64_t at, std::int64_t count) {
                              store(to + at, factor * loadUpTo(part + at, count));
                          });
        }
    }
}

/// tile [rows, keys] = chunks times the panels of keys [first, first + keys); `first` starts a
/// panel. Columns beyond `keys` are written up to a whole vector.
inline void scoreTile(const RowChunks& chunks, const float* panels, std::int64_t first,
                      std::int64_t keys, float* tile)
{
    for (std::int64_t key = 0; key < keys; key += kPanelKeys) {
        const float* panel = panels + (first + key) * chunks.dim;
        for (std::int64_t chunk = 0; chunk * kTile < chunks.dim; ++chunk) {
            const std::int64_t depth = smaller(kTile, chunks.dim - chunk * kTile);
            const Product product{chunks.data + chunk * chunks.chunkFloats(),
                                  panel + chunk * kTile * kPanelKeys,
                                  kPanelKeys,
                                  depth,
                                  tile + key,
                                  kTileStride,
                                  chunk > 0};
            multiply<Layout::Rows>(product, chunks.rows, smaller(kPanelKeys, keys - key));
        }
    }
}

/// Half-open run of keys.
struct Run
{
    std::int64_t begin;
    std::int64_t end;
};

/// The keys that the causal rule and the window leave to a query (see visibleKeys).
HEADSCOPE_INLINE Run visibleRun(const HeadOperands& head, std::int64_t query)
{
    const std::int64_t position = query + head.keyTokens - head.queryTokens;
    Run run{0, head.keyTokens};
    if (head.causal)
        run.end = smaller(run.end, position + 1);
    if (head.window > 0) {
        if (head.window <= position)
            run.begin = position - head.window + 1;
        if (head.window < run.end - position)
            run.end = position + head.window;
    }
    run.end = larger(run.end, 0);
    run.begin = smaller(run.begin, run.end);
    return run;
}

/// The keys that any of the queries [begin, end) sees.
HEADSCOPE_INLINE Run visibleRun(const HeadOperands& head, std::int64_t begin, std::int64_t end)
{
    const Run first = visibleRun(head, begin);
    const Run last = visibleRun(head, end - 1);
    return {smaller(first.begin, last.begin), larger(first.end, last.end)};
}

/// True when scores need more than the scale before the mask.
HEADSCOPE_INLINE bool hasScoreTerms(const HeadOperands& head)
{
    return head.bias != nullptr || head.hasSlope || head.softCap > 0.0F;
}

/// Scores are computed in units of log2, unless other terms must be added in natural units first.
HEADSCOPE_INLINE float queryFactor(const HeadOperands& head)
{
    return hasScoreTerms(head) ? head.scale : head.scale * kLog2E;
}

/// tanh: polynomial below 0.625 (Cephes, Moshier 1992), else 1 - 2 / (e^2|x| + 1).
HEADSCOPE_INLINE FloatVector tanhOf(FloatVector x)
{
    const FloatVector size = x < 0.0F ? -x : x;
    const FloatVector capped = size > 10.0F ? broadcast(10.0F) : size;
    FloatVector large = 1.0F - 2.0F / (exp2Of(capped * (2.0F * kLog2E)) + 1.0F);
    large = x < 0.0F ? -large : large;
    const FloatVector square = x * x;
    FloatVector p = square * -5.70498872745e-3F + 2.06390887954e-2F;
    p = p * square - 5.37397155531e-2F;
    p = p * square + 1.33314422036e-1F;
    p = p * square - 3.33332819422e-1F;
    const FloatVector small = p * square * x + x;
    return size > 0.625F ? large : small;
}

/// One row of a tile of `count` keys from `first`: soft cap, bias and slope on scaled scores.
/// `slopes`, when given, receives d capped / d scaled.
inline void addScoreTerms(const HeadOperands& head, std::int64_t query, std::int64_t first,
                          std::int64_t count, float* scores, float* slopes)
{
    const float* bias =
        head.bias == nullptr ? nullptr : head.bias + query * head.biasStride + first;
    const auto distance = static_cast<float>(first - query - (head.keyTokens - head.queryTokens));
    const FloatVector numbers = __builtin_convertvector(laneNumbers(), FloatVector);
    forEachVector(count, [&](std::int64_t at, std::int64_t lanes) {
        FloatVector score = load(scores + at);
        if (head.softCap > 0.0F) {
            const FloatVector capped = tanhOf(score / head.softCap);
            if (slopes != nullptr)
                store(slopes + at, 1.0F - capped * capped);
            score = head.softCap * capped;
        }
        if (bias != nullptr)
            score += loadUpTo(bias + at, lanes);
        if (head.hasSlope)
            score += head.slope * (numbers + (distance + static_cast<float>(at)));
        store(scores + at, score);
    });
}

/// values = factor * values.
inline void scaleRow(float* values, std::int64_t count, float factor)
{
    for (std::int64_t at = 0; at < count; at += kLanes)
        store(values + at, factor * load(values + at));
}

/// One row of a tile of `count` keys from `first`: minus infinity wherever the query may not look,
/// up to the end of the last vector.
inline void maskRow(const HeadOperands& head, std::int64_t query, std::int64_t first,
                    std::int64_t count, float* scores)
{
    const Run visible = visibleRun(head, query);
    const auto begin = static_cast<std::int32_t>(larger(-1, visible.begin - first));
    const auto end = static_cast<std::int32_t>(larger(0, smaller(count, visible.end - first)));
    for (std::int32_t at = 0; at < count; at += static_cast<std::int32_t>(kLanes)) {
        if (at >= begin && at + kLanes <= end)
            continue;
        const IntVector key = laneNumbers() + at;
        const IntVector inside = (key >= begin) & (key < end);
        store(scores + at, inside ? load(scores + at) : broadcast(kMinusInfinity));
    }
    if (head.allowed == nullptr)
        return;
    const std::uint8_t* allowed = head.allowed + query * head.allowedStride + first;
    for (std::int64_t key = 0; key < count; ++key)
        scores[key] = allowed[key] != 0 ? scores[key] : kMinusInfinity;
}

/// weights *= keep / (1 - dropout)
inline void dropRow(const HeadOperands& head, std::int64_t query, std::int64_t first,
                    std::int64_t count, float* weights)
{
    const std::uint8_t* keep = head.keep + query * head.keyTokens + first;
    for (std::int64_t key = 0; key < count; ++key)
        weights[key] = keep[key] != 0 ? weights[key] * head.keepScale : 0.0F;
}

} // namespace
} // namespace headscope
