#include "core/ops/relative_bias.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace headscope {

namespace {

/// Slope of head j = 1..n of n, where n is a power of two.
double slopeOf(std::int64_t j, std::int64_t n)
{
    return std::exp2(-8.0 * static_cast<double>(j) / static_cast<double>(n));
}

void checkBuckets(const RelativeBuckets& buckets)
{
    const std::int64_t oneSide = buckets.bidirectional ? buckets.count / 2 : buckets.count;
    if (oneSide < 2 || (buckets.bidirectional && buckets.count % 2 != 0))
        throw ShapeError(fmt::format("relativeBias: {} {}buckets", buckets.count,
                                     buckets.bidirectional ? "bidirectional " : ""),
                         {}, buckets.bidirectional ? "Use 4, 6, 8 ..." : "Use 2 or more");
    if (buckets.maxDistance <= oneSide / 2)
        throw ShapeError(fmt::format("relativeBias: {} buckets already hold {} distances, but the "
                                     "largest is {}",
                                     buckets.count, oneSide / 2, buckets.maxDistance),
                         {}, fmt::format("Use a distance of at least {}", oneSide / 2 + 1));
}

/// Bucket of a distance >= 0 among `count`: half of them hold one distance each.
std::int64_t bucketOfDistance(std::int64_t distance, std::int64_t count, std::int64_t maxDistance)
{
    const std::int64_t exact = count / 2;
    if (distance < exact)
        return distance;
    const double ratio = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                         std::log(static_cast<double>(maxDistance) / static_cast<double>(exact));
    // The small term keeps whole powers, which are bucket boundaries, on the upper side.
    const double far = ratio * static_cast<double>(count - exact) + 1e-9;
    return std::min(count - 1, exact + static_cast<std::int64_t>(far));
}

struct BiasSize
{
    std::int64_t heads = 0;
    std::int64_t queries = 0;
    std::int64_t keys = 0;

    /// Number of values of key - query. Query i uses keys.. from diagonal queries - 1 - i on.
    std::int64_t diagonals() const { return queries + keys - 1; }
};

void requireUnitStride(TensorView view, int rank, const char* name, const char* operand)
{
    if (!view || view.shape.rank() != rank || (view.shape.back() > 1 && view.stride(rank - 1) != 1))
        throw ShapeError(fmt::format("{}: {} is {}, but {} axes were expected, the last without "
                                     "gaps",
                                     name, operand, view.shape.toString(), rank));
}

BiasSize check(const RelativeBuckets& buckets, TensorView table, std::int64_t firstQuery,
               TensorView bias, const char* name)
{
    checkBuckets(buckets);
    requireUnitStride(table, 2, name, "the matrix");
    requireUnitStride(bias, 3, name, "the bias");
    if (firstQuery < 0 || table.shape[0] != buckets.count || table.shape[1] != bias.shape[0])
        throw ShapeError(fmt::format("{}: a matrix of {} for {} buckets and a bias of {} from "
                                     "query {}",
                                     name, table.shape.toString(), buckets.count,
                                     bias.shape.toString(), firstQuery));
    return {bias.shape[0], bias.shape[1], bias.shape[2]};
}

void findBuckets(const RelativeBuckets& buckets, const BiasSize& size, std::int64_t firstQuery,
                 std::vector<std::int64_t>& result)
{
    const std::int64_t furthest = firstQuery + size.queries - 1;
    result.clear();
    for (std::int64_t diagonal = 0; diagonal < size.diagonals(); ++diagonal)
        result.push_back(buckets.bucketOf(diagonal - furthest));
}

} // namespace

std::vector<float> alibiSlopes(std::int64_t heads)
{
    if (heads < 1)
        throw ShapeError(fmt::format("alibiSlopes: {} heads", heads), {}, "Use 1 or more");
    const std::int64_t lower = std::bit_floor(static_cast<std::uint64_t>(heads));
    std::vector<float> slopes;
    for (std::int64_t j = 1; j <= lower; ++j)
        slopes.push_back(static_cast<float>(slopeOf(j, lower)));
    for (std::int64_t j = 1; lower + (j + 1) / 2 <= heads; j += 2)
        slopes.push_back(static_cast<float>(slopeOf(j, 2 * lower)));
    return slopes;
}

std::int64_t RelativeBuckets::bucketOf(std::int64_t keyMinusQuery) const
{
    checkBuckets(*this);
    if (!bidirectional)
        return bucketOfDistance(std::max<std::int64_t>(0, -keyMinusQuery), count, maxDistance);
    const std::int64_t half = count / 2;
    const std::int64_t first = keyMinusQuery > 0 ? half : 0;
    return first + bucketOfDistance(std::abs(keyMinusQuery), half, maxDistance);
}

void relativeBias(const RelativeBuckets& buckets, TensorView table, std::int64_t firstQuery,
                  MutableTensorView bias, RelativeBiasScratch* memory)
{
    // table: [buckets, heads], bias: [heads, queries, keys]
    const BiasSize size = check(buckets, table, firstQuery, bias, "relativeBias");
    if (bias.shape.elementCount() == 0)
        return;
    RelativeBiasScratch own;
    RelativeBiasScratch& scratch = memory ? *memory : own;
    findBuckets(buckets, size, firstQuery, scratch.buckets);
    std::vector<float>& diagonals = scratch.diagonals;
    diagonals.resize(scratch.buckets.size());
    for (std::int64_t head = 0; head < size.heads; ++head) {
        std::ranges::transform(scratch.buckets, diagonals.begin(),
                               [&](std::int64_t bucket) { return table(bucket, head); });
        for (std::int64_t query = 0; query < size.queries; ++query)
            std::copy_n(diagonals.data() + size.queries - 1 - query, size.keys,
                        &bias(head, query, 0));
    }
}

void relativeBiasBackward(const RelativeBuckets& buckets, TensorView biasGradient,
                          std::int64_t firstQuery, MutableTensorView tableGradient,
                          RelativeBiasScratch* memory)
{
    // forward: bias[h, i, j] = table[bucket(j - (i + firstQuery)), h]
    const BiasSize size =
        check(buckets, tableGradient, firstQuery, biasGradient, "relativeBiasBackward");
    if (biasGradient.shape.elementCount() == 0)
        return;
    RelativeBiasScratch own;
    RelativeBiasScratch& scratch = memory ? *memory : own;
    findBuckets(buckets, size, firstQuery, scratch.buckets);
    for (std::int64_t head = 0; head < size.heads; ++head) {
        std::vector<double>& diagonals = scratch.diagonalSums;
        diagonals.assign(scratch.buckets.size(), 0.0);
        for (std::int64_t query = 0; query < size.queries; ++query) {
            const float* const row = &biasGradient(head, query, 0);
            double* const first = diagonals.data() + size.queries - 1 - query;
            for (std::int64_t key = 0; key < size.keys; ++key)
                first[key] += static_cast<double>(row[key]);
        }
        std::vector<double>& sums = scratch.bucketSums;
        sums.assign(buckets.count, 0.0);
        for (std::size_t i = 0; i < diagonals.size(); ++i)
            sums[scratch.buckets[i]] += diagonals[i];
        for (std::int64_t bucket = 0; bucket < buckets.count; ++bucket)
            tableGradient(bucket, head) += static_cast<float>(sums[bucket]);
    }
}

} // namespace headscope
