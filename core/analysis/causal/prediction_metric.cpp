#include "core/analysis/causal/prediction_metric.h"

#include "core/base/error.h"
#include "core/ops/cross_entropy.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& advice)
{
    throw Error(problem, "metric", advice);
}

void requireToken(TokenId token, std::int64_t vocabulary)
{
    if (token < 0 || token >= vocabulary)
        refuse(fmt::format("there is no token {} in a vocabulary of {}", token, vocabulary),
               "Choose a token of the model's vocabulary");
}

void checkLoss(const ModelConfig& config, std::span<const TokenId> ids,
               const GradientTarget& metric)
{
    if (metric.targets.empty() && !config.hasDecoder())
        refuse("this model does not predict the next token, so a text has no mean loss",
               "Choose a logit or a logit difference");
    if (metric.targets.empty() && ids.size() < 2)
        refuse("the loss of a single token is not defined: nothing follows it",
               "Give a longer text");
    if (metric.targets.empty())
        return;
    if (metric.targets.size() != ids.size())
        refuse(fmt::format("{} targets for {} tokens", metric.targets.size(), ids.size()),
               "Give one target for each token");
    for (const TokenId token : metric.targets)
        if (token != kIgnoreIndex)
            requireToken(token, config.vocabularySize);
    if (keptTargets(metric.targets) == 0)
        refuse("a loss without any target", "Give at least one target");
}

std::vector<TokenId> targetsOf(const GradientTarget& metric, std::span<const TokenId> ids)
{
    if (!metric.targets.empty())
        return metric.targets;
    std::vector<TokenId> targets(ids.begin() + 1, ids.end());
    targets.push_back(kIgnoreIndex);
    return targets;
}

} // namespace

std::optional<std::int64_t> metricRow(const GradientTarget& metric, std::int64_t tokens)
{
    if (metric.kind == GradientTarget::Kind::Loss)
        return std::nullopt;
    return metric.position == -1 ? tokens - 1 : metric.position;
}

void checkMetric(const ModelConfig& config, std::span<const TokenId> ids,
                 const GradientTarget& metric)
{
    if (!config.languageHead)
        refuse("this model predicts no tokens, so there is no logit to measure",
               "Choose a model with a language head");
    if (ids.empty())
        refuse("the text is empty", "Give at least one token");
    if (metric.kind == GradientTarget::Kind::Loss) {
        checkLoss(config, ids, metric);
        return;
    }
    const auto tokens = static_cast<std::int64_t>(ids.size());
    const std::int64_t row = *metricRow(metric, tokens);
    if (row < 0 || row >= tokens)
        refuse(fmt::format("there is no position {} in a text of {} tokens", row, tokens),
               "Choose a position of the text");
    requireToken(metric.token, config.vocabularySize);
    if (metric.kind == GradientTarget::Kind::LogitDifference)
        requireToken(metric.other, config.vocabularySize);
}

double metricOf(const GradientTarget& metric, std::span<const TokenId> ids, TensorView logits)
{
    const auto tokens = static_cast<std::int64_t>(ids.size());
    const auto row = metricRow(metric, tokens);
    if (!row) {
        const std::vector<TokenId> targets = targetsOf(metric, ids);
        return crossEntropy(logits, targets, {}) / static_cast<double>(keptTargets(targets));
    }
    const std::int64_t place = *row - (tokens - logits.shape[0]);
    const auto value = static_cast<double>(logits(place, metric.token));
    if (metric.kind == GradientTarget::Kind::Logit)
        return value;
    return value - static_cast<double>(logits(place, metric.other));
}

double metricOf(const GradientTarget& metric, const Trace& trace)
{
    const TraceKey logits{Site::Logits, 0};
    const std::vector<TokenId> ids = trace.tokens().ids();
    if (const auto row = metricRow(metric, std::ssize(ids))) {
        GradientTarget inRow = metric;
        inRow.position = 0;
        const std::span<const TokenId> id(&ids[static_cast<std::size_t>(*row)], 1);
        return metricOf(inRow, id, trace.findRows(logits, *row).view);
    }
    const std::vector<TokenId> targets = targetsOf(metric, ids);
    double sum = 0.0;
    trace.forEachRow(logits, [&](std::int64_t row, std::span<const float> values) {
        const TensorView one(values.data(), {1, std::ssize(values)});
        sum += crossEntropy(one, std::span(&targets[static_cast<std::size_t>(row)], 1), {});
    });
    return sum / static_cast<double>(keptTargets(targets));
}

} // namespace headscope
