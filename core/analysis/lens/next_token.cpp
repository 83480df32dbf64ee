#include "core/analysis/lens/next_token.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr TraceKey kLogits{Site::Logits, 0};

double logSumExp(std::span<const float> logits)
{
    const auto largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - largest);
    return largest + std::log(sum);
}

} // namespace

std::vector<Candidate> nextTokens(const Trace& trace, std::int64_t position, int count,
                                  const Tokenizer* tokenizer)
{
    const auto shape = trace.shapeOf(kLogits);
    if (!shape || shape->elementCount() == 0)
        return {};
    const std::int64_t rows = (*shape)[0];
    const std::int64_t row = position == -1 ? rows - 1 : position;
    if (row < 0 || row >= rows)
        throw ShapeError(fmt::format("position {} of {}", position, rows), "nextTokens");
    const ActivationRows logits = trace.findRows(kLogits, row);
    if (!areUsable(logits[0]))
        return {};
    return topCandidates(samplingDistribution(logits[0], {}), count, tokenizer);
}

bool areUsable(std::span<const float> logits)
{
    const bool broken = std::ranges::any_of(logits, [](float logit) {
        return std::isnan(logit) || (std::isinf(logit) && logit > 0.0F);
    });
    return !broken && std::ranges::any_of(logits, [](float logit) { return std::isfinite(logit); });
}

std::vector<double> logProbabilities(const Trace& trace)
{
    std::vector<double> result;
    const std::vector<TokenId> ids = trace.tokens().ids();
    if (!trace.has(kLogits) || ids.empty())
        return result;
    trace.forEachRow(kLogits, [&](std::int64_t position, std::span<const float> row) {
        const auto i = static_cast<std::size_t>(position);
        if (i + 1 >= ids.size())
            return;
        const auto next = static_cast<std::size_t>(ids[i + 1]);
        if (next >= row.size())
            throw ShapeError(fmt::format("token id {} with {} logits", ids[i + 1], row.size()),
                             "logProbabilities");
        result.push_back(static_cast<double>(row[next]) - logSumExp(row));
    });
    return result;
}

} // namespace headscope
