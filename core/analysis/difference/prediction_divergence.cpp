#include "core/analysis/difference/prediction_divergence.h"

#include "core/analysis/lens/next_token.h"
#include "core/base/error.h"
#include "core/tensor/largest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace headscope {

namespace {

/// Logits as log-probabilities: ln p = (logit - largest) - logSum.
struct LogSoftmax
{
    std::span<const float> logits;
    std::size_t top = 0;
    double largest = 0.0;
    double logSum = 0.0;

    double at(std::size_t id) const { return double{logits[id]} - largest - logSum; }
};

LogSoftmax logSoftmax(std::span<const float> logits)
{
    LogSoftmax result{logits};
    result.top = static_cast<std::size_t>(largestIndex(logits));
    result.largest = double{logits[result.top]};
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(double{logit} - result.largest);
    result.logSum = std::log(sum);
    return result;
}

/// In nats. A token that A rules out contributes nothing.
double divergence(const LogSoftmax& a, const LogSoftmax& b)
{
    double sum = 0.0;
    for (std::size_t id = 0; id < a.logits.size(); ++id) {
        const double logA = a.at(id);
        const double p = std::exp(logA);
        if (p > 0.0)
            sum += p * (logA - b.at(id));
    }
    return std::max(sum, 0.0);
}

} // namespace

PredictionDivergence predictionDivergence(std::span<const float> logitsA,
                                          std::span<const float> logitsB)
{
    if (logitsA.size() != logitsB.size() || logitsA.empty())
        throw ShapeError(fmt::format("{} and {} logits", logitsA.size(), logitsB.size()),
                         "prediction divergence");
    PredictionDivergence result;
    if (!areUsable(logitsA) || !areUsable(logitsB)) {
        result.bits = result.probabilityA = result.probabilityB = NAN;
        return result;
    }
    const LogSoftmax a = logSoftmax(logitsA);
    const LogSoftmax b = logSoftmax(logitsB);
    result.bits = divergence(a, b) / std::numbers::ln2;
    result.topA = static_cast<TokenId>(a.top);
    result.topB = static_cast<TokenId>(b.top);
    result.probabilityA = std::exp(a.at(a.top));
    result.probabilityB = std::exp(b.at(b.top));
    return result;
}

} // namespace headscope
