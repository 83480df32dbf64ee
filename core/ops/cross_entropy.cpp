#include "core/ops/cross_entropy.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

RowCount check(TensorView logits, std::span<const std::int32_t> targets, TensorView gradient,
               std::span<float> perRow)
{
    const char* const name = "crossEntropy";
    const RowCount size = rowsOf(logits, name, "logits");
    if (static_cast<std::int64_t>(targets.size()) != size.rows ||
        (!perRow.empty() && perRow.size() != targets.size()))
        throw ShapeError(fmt::format("{}: {} targets for logits {}", name, targets.size(),
                                     logits.shape.toString()));
    if (gradient)
        requireRows(gradient, size, name, "gradient");
    for (const std::int32_t target : targets) {
        if (target != kIgnoreIndex && (target < 0 || target >= size.columns))
            throw ShapeError(fmt::format("{}: target {} is outside a vocabulary of {}", name,
                                         target, size.columns));
    }
    return size;
}

} // namespace

std::int64_t keptTargets(std::span<const std::int32_t> targets)
{
    return std::count_if(targets.begin(), targets.end(),
                         [](std::int32_t target) { return target != kIgnoreIndex; });
}

double crossEntropy(TensorView logits, std::span<const std::int32_t> targets,
                    const CrossEntropySettings& settings, MutableTensorView gradient,
                    std::span<float> perRow)
{
    // logits, gradient: [rows, V]; loss = log(sum e^z) - z[target];
    // d loss / d z = softmax(z) - target distribution
    const RowCount size = check(logits, targets, gradient, perRow);
    double total = 0.0;
    for (std::size_t row = 0; row < targets.size(); ++row) {
        const std::int64_t start = static_cast<std::int64_t>(row) * size.columns;
        float* const slope = gradient ? gradient.data + start : nullptr;
        double loss = 0.0;
        if (targets[row] != kIgnoreIndex)
            loss = kernels().crossEntropy(logits.data + start, size.columns, targets[row],
                                          settings.smoothing, settings.scale, slope);
        else if (slope)
            std::fill_n(slope, size.columns, 0.0F);
        if (!perRow.empty())
            perRow[row] = static_cast<float>(loss);
        total += loss;
    }
    return total;
}

} // namespace headscope
