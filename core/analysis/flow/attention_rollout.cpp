#include "core/analysis/flow/attention_rollout.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// [n, n] row-major, in double: a product of many layers keeps its precision.
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

void requireShare(double residual)
{
    if (!(residual >= 0.0 && residual <= 1.0))
        throw Error(fmt::format("a residual weight of {}", residual), "attentionRollout",
                    "Give a residual weight from 0 to 1");
}

double reduced(TensorView pattern, HeadReduction heads, std::int64_t query, std::int64_t key)
{
    double sum = 0.0;
    float least = pattern(0, query, key);
    float most = least;
    for (std::int64_t head = 0; head < pattern.shape[0]; ++head) {
        const float weight = pattern(head, query, key);
        sum += double{weight};
        least = std::min(least, weight);
        most = std::max(most, weight);
    }
    if (heads == HeadReduction::Mean)
        return sum / static_cast<double>(pattern.shape[0]);
    return double{heads == HeadReduction::Max ? most : least};
}

Matrix mixing(TensorView pattern, const RolloutRule& rule)
{
    const std::int64_t n = pattern.shape[1];
    Matrix mixed(static_cast<std::size_t>(n * n));
    for (std::int64_t query = 0; query < n; ++query) {
        double* row = &mixed[static_cast<std::size_t>(query * n)];
        double sum = rule.residual;
        for (std::int64_t key = 0; key < n; ++key) {
            row[key] = (1.0 - rule.residual) * reduced(pattern, rule.heads, query, key);
            sum += row[key];
        }
        row[query] += rule.residual;
        if (sum > 0.0)
            std::transform(row, row + n, row, [sum](double value) { return value / sum; });
        else
            row[query] = 1.0;
    }
    return mixed;
}

Matrix product(const Matrix& a, const Matrix& b, std::size_t n, const std::stop_token& stop)
{
    Matrix result(n * n);
    parallelForEach(n, workerCount(), stop, [&](std::size_t i) {
        double* const row = &result[i * n];
        for (std::size_t k = 0; k < n; ++k) {
            const double weight = a[i * n + k];
            if (weight == 0.0)
                continue;
            for (std::size_t j = 0; j < n; ++j)
                row[j] += weight * b[k * n + j];
        }
    });
    return result;
}

Tensor asTensor(const Matrix& matrix, std::int64_t tokens)
{
    Tensor tensor({tokens, tokens});
    std::transform(matrix.begin(), matrix.end(), tensor.data(),
                   [](double value) { return static_cast<float>(value); });
    return tensor;
}

std::shared_ptr<const Tensor> patternOf(const Trace& trace, Stack stack, int layer)
{
    auto pattern = trace.find({Site::Pattern, layer, stack});
    if (!pattern)
        throw Error(fmt::format("the trace contains no pattern of layer {}", layer),
                    "attentionRollout", "Trace the patterns of all layers");
    return pattern;
}

/// Multiplies layer by layer; only one pattern at a time needs to be in memory.
class Rollout
{
public:
    Rollout(const RolloutRule& rule, const std::stop_token& stop) : m_rule(rule), m_stop(stop) {}

    void add(TensorView pattern)
    {
        if (m_layers.empty())
            m_tokens = pattern.shape.rank() == 3 ? pattern.shape[1] : 0;
        requireSquare(pattern, m_tokens);
        requireShare(m_rule.residual);
        Matrix mixed = mixing(pattern, m_rule);
        m_product = m_layers.empty()
                        ? std::move(mixed)
                        : product(mixed, m_product, static_cast<std::size_t>(m_tokens), m_stop);
        m_layers.push_back(asTensor(m_product, m_tokens));
    }

    std::vector<Tensor> take() { return std::move(m_layers); }

private:
    RolloutRule m_rule;
    std::stop_token m_stop;
    std::int64_t m_tokens = 0;
    Matrix m_product;
    std::vector<Tensor> m_layers;
};

} // namespace

Tensor layerMixing(TensorView pattern, const RolloutRule& rule)
{
    requireSquare(pattern, pattern.shape.rank() == 3 ? pattern.shape[1] : 0);
    requireShare(rule.residual);
    return asTensor(mixing(pattern, rule), pattern.shape[1]);
}

std::vector<Tensor> attentionRollout(std::span<const TensorView> patterns, const RolloutRule& rule,
                                     const std::stop_token& stop)
{
    Rollout rollout(rule, stop);
    for (const TensorView& pattern : patterns)
        rollout.add(pattern);
    return rollout.take();
}

std::vector<Tensor> attentionRollout(const Trace& trace, Stack stack, const RolloutRule& rule,
                                     const std::stop_token& stop)
{
    Rollout rollout(rule, stop);
    for (int layer = 0; layer < trace.layerCount(selfAttentionOf(stack)); ++layer)
        rollout.add(patternOf(trace, stack, layer)->view());
    return rollout.take();
}

std::vector<Tensor> layerMixings(const Trace& trace, Stack stack, const RolloutRule& rule,
                                 const std::stop_token& stop)
{
    std::vector<Tensor> layers;
    for (int layer = 0; layer < trace.layerCount(selfAttentionOf(stack)); ++layer) {
        throwIfStopped(stop);
        layers.push_back(layerMixing(patternOf(trace, stack, layer)->view(), rule));
    }
    return layers;
}

} // namespace headscope
