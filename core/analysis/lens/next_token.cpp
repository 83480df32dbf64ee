#include "core/analysis/lens/next_token.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

std::span<const float> rowOf(const Tensor& logits, std::int64_t row)
{
    const auto width = static_cast<std::size_t>(logits.shape().back());
    return logits.values().subspan(static_cast<std::size_t>(row) * width, width);
}

double logSumExp(std::span<const float> logits)
{
    const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - largest);
    return largest + std::log(sum);
}

} // namespace

std::vector<Candidate> nextTokens(const Trace& trace, std::int64_t position, int count,
                                  const Tokenizer* tokenizer)
{
    const std::shared_ptr<const Tensor> logits = trace.find({Site::Logits, 0});
    if (!logits || logits->empty())
        return {};
    const std::int64_t rows = logits->shape()[0];
    const std::int64_t row = position == -1 ? rows - 1 : position;
    if (row < 0 || row >= rows)
        throw ShapeError(fmt::format("position {} of {}", position, rows), "nextTokens");
    if (!areUsable(rowOf(*logits, row)))
        return {};
    return topCandidates(samplingDistribution(rowOf(*logits, row), {}), count, tokenizer);
}

bool areUsable(std::span<const float> logits)
{
    const bool broken = std::any_of(logits.begin(), logits.end(), [](float logit) {
        return std::isnan(logit) || (std::isinf(logit) && logit > 0.0F);
    });
    return !broken && std::any_of(logits.begin(), logits.end(),
                                  [](float logit) { return std::isfinite(logit); });
}

std::vector<double> logProbabilities(const Trace& trace)
{
    const std::shared_ptr<const Tensor> logits = trace.find({Site::Logits, 0});
    std::vector<double> result;
    if (!logits)
        return result;
    const std::vector<TokenId> ids = trace.tokens().ids();
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        const std::span<const float> row = rowOf(*logits, static_cast<std::int64_t>(i));
        const auto next = static_cast<std::size_t>(ids[i + 1]);
        if (next >= row.size())
            throw ShapeError(fmt::format("token id {} with {} logits", ids[i + 1], row.size()),
                             "logProbabilities");
        result.push_back(static_cast<double>(row[next]) - logSumExp(row));
    }
    return result;
}

} // namespace headscope
