#include "core/analysis/causal/trace_change.h"

#include "core/analysis/lens/next_token.h"
#include "core/base/error.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace headscope {

namespace {

ActivationRows logitsAt(const Trace& trace, std::int64_t position)
{
    const TraceKey logits{Site::Logits, 0};
    const std::int64_t rows = (*trace.shapeOf(logits))[0];
    if (position < 0 || position >= rows)
        throw ShapeError(fmt::format("position {} of {}", position, rows), "next token");
    return trace.findRows(logits, position);
}

} // namespace

std::optional<NextTokenChange> largestNextTokenChange(const Trace& a, std::int64_t positionA,
                                                      const Trace& b, std::int64_t positionB)
{
    const auto shapeA = a.shapeOf({Site::Logits, 0});
    const auto shapeB = b.shapeOf({Site::Logits, 0});
    if (!shapeA || !shapeB || (*shapeA)[0] == 0 || (*shapeB)[0] == 0 ||
        (*shapeA)[1] != (*shapeB)[1])
        return std::nullopt;
    const ActivationRows rowA = logitsAt(a, positionA);
    const ActivationRows rowB = logitsAt(b, positionB);
    const std::span<const float> logitsA = rowA[0];
    const std::span<const float> logitsB = rowB[0];
    const std::vector<float> before = samplingDistribution(logitsA, {});
    const std::vector<float> after = samplingDistribution(logitsB, {});
    std::size_t most = 0;
    for (std::size_t id = 1; id < before.size(); ++id) {
        if (std::abs(after[id] - before[id]) > std::abs(after[most] - before[most]))
            most = id;
    }
    return NextTokenChange{static_cast<TokenId>(most), double{logitsA[most]}, double{logitsB[most]},
                           double{before[most]}, double{after[most]}};
}

std::optional<double> meanLoss(const Trace& trace)
{
    const std::vector<double> logs = logProbabilities(trace);
    if (logs.empty())
        return std::nullopt;
    return -std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
}

double movedWeight(TensorView a, TensorView b)
{
    if (a.shape != b.shape || a.shape.rank() != 2)
        throw ShapeError(a.shape.toString() + " and " + b.shape.toString(), "moved weight");
    double moved = 0.0;
    for (std::int64_t row = 0; row < a.shape[0]; ++row) {
        for (std::int64_t key = 0; key < a.shape[1]; ++key)
            moved += std::abs(double{b(row, key)} - double{a(row, key)});
    }
    return a.shape[0] == 0 ? 0.0 : moved / (2.0 * static_cast<double>(a.shape[0]));
}

} // namespace headscope
