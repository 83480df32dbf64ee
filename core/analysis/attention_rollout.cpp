#include "core/analysis/attention_rollout.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// [n, n] row-major, in double: a product of many layers keeps its digits.
using Matrix = std::vector<double>;

void requireSquare(TensorView pattern, std::int64_t tokens)
{
    const bool fits = pattern.shape.rank() == 3 && pattern.shape[0] > 0 &&
                      pattern.shape[1] == tokens && pattern.shape[2] == tokens;
    if (!fits)
        throw ShapeError(
            fmt::format("a pattern {} among those of {} tokens", pattern.shape.toString(), tokens),
            "attentionRollout", "Give patterns [heads, tokens, tokens]");
}

/// 0.5 mean over heads + 0.5 I, rows divided by their sums.
Matrix mixing(TensorView pattern)
{
    const std::int64_t n = pattern.shape[1];
    const auto share = 0.5 / static_cast<double>(pattern.shape[0]);
    Matrix mixed(static_cast<std::size_t>(n * n));
    for (std::int64_t query = 0; query < n; ++query) {
        double* row = &mixed[static_cast<std::size_t>(query * n)];
        row[query] = 0.5;
        double sum = 0.5;
        for (std::int64_t head = 0; head < pattern.shape[0]; ++head)
            for (std::int64_t key = 0; key < n; ++key) {
                const double weight = share * static_cast<double>(pattern(head, query, key));
                row[key] += weight;
                sum += weight;
            }
        std::transform(row, row + n, row, [sum](double value) { return value / sum; });
    }
    return mixed;
}

Matrix product(const Matrix& a, const Matrix& b, std::size_t n)
{
    Matrix result(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                result[i * n + j] += a[i * n + k] * b[k * n + j];
    return result;
}

} // namespace

std::vector<Tensor> attentionRollout(std::span<const TensorView> patterns)
{
    if (patterns.empty())
        return {};
    const std::int64_t tokens = patterns[0].shape.rank() == 3 ? patterns[0].shape[1] : 0;
    for (const TensorView& pattern : patterns)
        requireSquare(pattern, tokens);
    std::vector<Tensor> layers;
    Matrix rollout;
    for (const TensorView& pattern : patterns) {
        const Matrix mixed = mixing(pattern);
        rollout =
            layers.empty() ? mixed : product(mixed, rollout, static_cast<std::size_t>(tokens));
        Tensor& layer = layers.emplace_back(Shape{tokens, tokens});
        std::transform(rollout.begin(), rollout.end(), layer.data(),
                       [](double value) { return static_cast<float>(value); });
    }
    return layers;
}

std::vector<Tensor> attentionRollout(const Trace& trace, Stack stack)
{
    std::vector<TensorView> patterns;
    for (int layer = 0; layer < trace.layerCount(stack); ++layer) {
        const auto pattern = trace.find({Site::Pattern, layer, stack});
        if (!pattern)
            throw Error(fmt::format("the trace holds no pattern of layer {}", layer),
                        "attentionRollout", "Trace the patterns of all layers");
        patterns.push_back(pattern->view());
    }
    return attentionRollout(patterns);
}

} // namespace headscope
