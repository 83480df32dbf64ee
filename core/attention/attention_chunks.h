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

/// Does the same for one row of queries, directly from rows of keys: packing keys that are used
/// once would cost more than the products.
inline void scoreKeys(const RowChunks& chunks, const float* rows, std::int64_t stride,
                      std::int64_t keys, float* tile)
{
    constexpr std::int64_t kGroup = 4; // independent sums
    for (std::int64_t key = 0; key < keys; key += kGroup) {
        FloatVector sums[kGroup]{};
        const std::int64_t last = keys - 1;
        forEachVector(chunks.dim, [&](std::int64_t at, std::int64_t lanes) {
            const FloatVector query =
                load(chunks.data + at / kTile * chunks.chunkFloats() + at % kTile);
            for (std::int64_t i = 0; i < kGroup; ++i)
                sums[i] += query * loadUpTo(rows + smaller(key + i, last) * stride + at, lanes);
        });
        for (std::int64_t i = 0; i < kGroup; ++i)
            tile[key + i] = sumOf(sums[i]);
    }
    for (std::int64_t key = roundUp(keys, kGroup); key < roundUp(keys, kLanes); ++key)
        tile[key] = 0.0F;
}

} // namespace
} // namespace headscope
