#pragma once

#include "core/attention/attention_math.h"
#include "core/attention/attention_products.h"

// Query rows in the layout of the products, and scores from them. Same rules as
// attention_vectors.h.

namespace headscope {
namespace {

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

/// Copies chunks = factor * source rows, padded with zeros to whole vectors.
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

/// Computes tile [rows, keys] = chunks times the panels of keys [first, first + keys); `first`
/// starts a panel. Columns beyond `keys` are written up to a whole vector.
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

/// Computes `count` rows of a tile from row `first` on, as scoreKeys does.
template<int count>
inline void scoreKeysOfRows(const RowChunks& chunks, std::int64_t first, const float* keyRows,
                            std::int64_t stride, std::int64_t keys, float* tile)
{
    constexpr std::int64_t kGroup = 4; // with `count` rows, independent sums
    const float* const queries = chunks.data + first * kTileStride;
    float* const scores = tile + first * kTileStride;
    for (std::int64_t key = 0; key < keys; key += kGroup) {
        FloatVector sums[count][kGroup]{};
        const float* places[kGroup];
        for (std::int64_t i = 0; i < kGroup; ++i)
            places[i] = keyRows + smaller(key + i, keys - 1) * stride;
        forEachVector(chunks.dim, [&](std::int64_t at, std::int64_t lanes) {
            const float* const query = queries + at / kTile * chunks.chunkFloats() + at % kTile;
#pragma GCC unroll 4
            for (std::int64_t i = 0; i < kGroup; ++i) {
                const FloatVector some = loadUpTo(places[i] + at, lanes);
#pragma GCC unroll 4
                for (int row = 0; row < count; ++row)
                    sums[row][i] += load(query + row * kTileStride) * some;
            }
        });
        for (int row = 0; row < count; ++row)
            for (std::int64_t i = 0; i < kGroup; ++i)
                scores[row * kTileStride + key + i] = sumOf(sums[row][i]);
    }
    for (int row = 0; row < count; ++row)
        for (std::int64_t key = roundUp(keys, kGroup); key < roundUp(keys, kLanes); ++key)
            scores[row * kTileStride + key] = 0.0F;
}

/// Does the same directly from rows of keys: packing keys that are used once, by a few rows, would
/// cost more than the products.
inline void scoreKeys(const RowChunks& chunks, const float* keyRows, std::int64_t stride,
                      std::int64_t keys, float* tile)
{
    std::int64_t row = 0;
    for (; row + 3 <= chunks.rows; row += 3)
        scoreKeysOfRows<3>(chunks, row, keyRows, stride, keys, tile);
    if (row + 2 == chunks.rows)
        scoreKeysOfRows<2>(chunks, row, keyRows, stride, keys, tile);
    else if (row + 1 == chunks.rows)
        scoreKeysOfRows<1>(chunks, row, keyRows, stride, keys, tile);
}

} // namespace
} // namespace headscope
