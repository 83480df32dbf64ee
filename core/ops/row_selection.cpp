#include "core/ops/row_selection.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/kernels/lanes.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

namespace headscope {

namespace {

using Indices = std::span<const std::int32_t>;

/// Columns of both operands. `selected`: [indices, d], `all`: [rows, d].
std::int64_t check(TensorView selected, TensorView all, Indices indices, const char* name)
{
    const RowCount size = rowsOf(all, name, "rows");
    requireRows(selected, {std::ssize(indices), size.columns}, name, "selected rows");
    for (const std::int32_t index : indices) {
        if (index < 0 || index >= size.rows)
            throw ShapeError(
                fmt::format("{}: row {} is not among {} rows", name, index, size.rows));
    }
    return size.columns;
}

void checkCount(std::size_t count, Indices indices, const char* name, const char* operand)
{
    if (count != indices.size())
        throw ShapeError(
            fmt::format("{}: {} {} for {} rows", name, count, operand, indices.size()));
}

void checkScales(std::span<const float> scales, Indices indices, const char* name)
{
    if (!scales.empty())
        checkCount(scales.size(), indices, name, "scales");
}

float dot(const float* a, const float* b, std::int64_t count)
{
    Lanes sums[4] = {};
    std::int64_t i = 0;
    for (; i + 4 * kLaneCount <= count; i += 4 * kLaneCount) {
        for (int k = 0; k < 4; ++k)
            sums[k] += loadLanes(a + i + k * kLaneCount) * loadLanes(b + i + k * kLaneCount);
    }
    const Lanes sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; i < count; ++i)
        total += a[i] * b[i];
    return total;
}

} // namespace

void gatherRows(TensorView x, Indices indices, MutableTensorView y, std::span<const float> scales)
{
    // x: [rows, d], y: [indices, d]
    const std::int64_t d = check(y, x, indices, "gatherRows");
    checkScales(scales, indices, "gatherRows");
    for (std::size_t i = 0; i < indices.size(); ++i)
        kernels().scaleAdd(x.data + indices[i] * d, scales.empty() ? 1.0F : scales[i], nullptr,
                           y.data + static_cast<std::int64_t>(i) * d, d);
}

void scatterAddRows(TensorView x, Indices indices, MutableTensorView y,
                    std::span<const float> scales)
{
    // x: [indices, d], y: [rows, d]
    const std::int64_t d = check(x, y, indices, "scatterAddRows");
    checkScales(scales, indices, "scatterAddRows");
    for (std::size_t i = 0; i < indices.size(); ++i)
        kernels().addScaled(x.data + static_cast<std::int64_t>(i) * d,
                            scales.empty() ? 1.0F : scales[i], y.data + indices[i] * d, d);
}

void selectedRowDots(TensorView x, TensorView y, Indices indices, std::span<float> dots)
{
    // x: [indices, d], y: [rows, d]
    const std::int64_t d = check(x, y, indices, "selectedRowDots");
    checkCount(dots.size(), indices, "selectedRowDots", "results");
    for (std::size_t i = 0; i < indices.size(); ++i)
        dots[i] = dot(x.data + static_cast<std::int64_t>(i) * d, y.data + indices[i] * d, d);
}

} // namespace headscope
