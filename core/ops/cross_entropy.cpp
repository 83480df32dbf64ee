#include "core/ops/cross_entropy.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Padding class of LabelSmoothing::AnnotatedTransformer.
constexpr std::int32_t kPaddingClass = 0;

bool counts(std::int32_t target, LabelSmoothing convention)
{
    return target != kIgnoreIndex &&
           (convention == LabelSmoothing::Uniform || target != kPaddingClass);
}

void checkSmoothing(const CrossEntropySettings& settings, std::int64_t columns)
{
    if (!(settings.smoothing >= 0.0F && settings.smoothing < 1.0F))
        throw ShapeError(fmt::format("crossEntropy: label smoothing is {}, but 0 <= s < 1 is "
                                     "required",
                                     settings.smoothing));
    if (settings.convention == LabelSmoothing::AnnotatedTransformer && columns < 3)
        throw ShapeError(fmt::format("crossEntropy: {} classes, but smoothing with a padding class "
                                     "needs 3",
                                     columns));
}

RowCount check(TensorView logits, std::span<const std::int32_t> targets, TensorView gradient,
               std::span<float> perRow)
{
    const char* const name = "crossEntropy";
    const RowCount size = rowsOf(logits, name, "logits");
    if (std::ssize(targets) != size.rows || (!perRow.empty() && perRow.size() != targets.size()))
        throw ShapeError(fmt::format("{}: {} targets for logits {}", name, targets.size(),
                                     logits.shape.toString()));
    if (gradient)
        requireRows(gradient, size, name, "gradient");
    for (const std::int32_t target : targets) {
        if (target != kIgnoreIndex && (target < 0 || target >= size.columns))
            throw ShapeError(fmt::format("{}: target {} is outside a vocabulary of {} tokens", name,
                                         target, size.columns));
    }
    return size;
}

/// Computes the loss of one row, and its gradient unless null.
using RowLoss = double (*)(const float* logits, std::int64_t columns, std::int32_t target,
                           const CrossEntropySettings& settings, float* gradient);

double uniformLoss(const float* logits, std::int64_t columns, std::int32_t target,
                   const CrossEntropySettings& settings, float* gradient)
{
    return kernels().crossEntropy(logits, columns, target, settings.smoothing, settings.scale,
                                  gradient);
}

/// With a = s / (V - 2), the distribution is uniform smoothing by a V, with a more on the target
/// and a less on padding.
double annotatedLoss(const float* logits, std::int64_t columns, std::int32_t target,
                     const CrossEntropySettings& settings, float* gradient)
{
    const double s = settings.smoothing;
    const double a = s / static_cast<double>(columns - 2);
    const double moved = a * (static_cast<double>(logits[kPaddingClass]) - logits[target]);
    const double entropy = s > 0.0 ? (1.0 - s) * std::log(1.0 - s) + s * std::log(a) : 0.0;
    const double loss = kernels().crossEntropy(logits, columns, target,
                                               static_cast<float>(a * static_cast<double>(columns)),
                                               settings.scale, gradient);
    if (gradient) {
        const float change = static_cast<float>(a) * settings.scale;
        gradient[target] -= change;
        gradient[kPaddingClass] += change;
    }
    return loss + moved + entropy;
}

} // namespace

std::int64_t keptTargets(std::span<const std::int32_t> targets, LabelSmoothing convention)
{
    return std::count_if(targets.begin(), targets.end(),
                         [&](std::int32_t target) { return counts(target, convention); });
}

double crossEntropy(TensorView logits, std::span<const std::int32_t> targets,
                    const CrossEntropySettings& settings, MutableTensorView gradient,
                    std::span<float> perRow)
{
    // logits, gradient: [rows, V]; loss = log(sum e^z) - z[target];
    // d loss / d z = softmax(z) - target distribution
    const RowCount size = check(logits, targets, gradient, perRow);
    checkSmoothing(settings, size.columns);
    const RowLoss rowLoss =
        settings.convention == LabelSmoothing::Uniform ? uniformLoss : annotatedLoss;
    double total = 0.0;
    for (std::size_t row = 0; row < targets.size(); ++row) {
        const std::int64_t start = static_cast<std::int64_t>(row) * size.columns;
        float* const slope = gradient ? gradient.data + start : nullptr;
        double loss = 0.0;
        if (counts(targets[row], settings.convention))
            loss = rowLoss(logits.data + start, size.columns, targets[row], settings, slope);
        else if (slope)
            std::fill_n(slope, size.columns, 0.0F);
        if (!perRow.empty())
            perRow[row] = static_cast<float>(loss);
        total += loss;
    }
    return total;
}

} // namespace headscope
