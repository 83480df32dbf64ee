#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/model/config/size_report.h"
#include "core/ops/expert_router.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kTokens = 24;
constexpr std::int64_t kShownTokens = 8;
constexpr std::uint64_t kSeed = 11;
constexpr int kSteps = 60;
constexpr float kRate = 10.0F; ///< Learning rate of the descent on the balancing loss.

struct Routed
{
    Tensor probabilities; ///< [tokens, experts].
    Tensor weights;       ///< [tokens, experts].

    RouterOutputs outputs() { return {probabilities.view(), weights.view()}; }
};

Routed route(const Tensor& logits, std::int64_t topK)
{
    Routed routed{Tensor(logits.shape()), Tensor(logits.shape())};
    routeTopK(logits.view(), topK, routed.outputs());
    return routed;
}

/// Scores of a router that favours the first experts in proportion to `skew`.
Tensor skewedLogits(std::int64_t experts, double skew)
{
    Tensor logits = randomRows(Shape{kTokens, experts}, kSeed);
    for (std::int64_t token = 0; token < kTokens; ++token)
        for (std::int64_t expert = 0; expert < experts; ++expert)
            logits.view()(token, expert) +=
                static_cast<float>(skew * (1.0 - 2.0 * static_cast<double>(expert) /
                                                     static_cast<double>(experts - 1)));
    return logits;
}

struct Descent
{
    LabChart chart;
    double last = 0.0;        ///< Balancing loss at the end.
    double largestLoad = 0.0; ///< Largest load at the end.
};

/// Gradient descent on the balancing loss alone.
Descent balance(Tensor logits, std::int64_t topK)
{
    Descent descent;
    descent.chart = {"step", "1: even load"};
    LabChart::Series loss{"balancing loss"};
    LabChart::Series load{"largest load", {}, {}, true};
    const auto experts = static_cast<double>(logits.shape()[1]);
    const Tensor none(logits.shape());
    Tensor gradient(logits.shape());
    for (int step = 0; step <= kSteps; ++step) {
        Routed routed = route(logits, topK);
        descent.last = balancingLoss(routed.outputs(), kTokens);
        descent.largestLoad = std::ranges::max(expertLoads(routed.weights.view()));
        loss.x.push_back(static_cast<double>(step));
        loss.y.push_back(descent.last);
        load.x.push_back(static_cast<double>(step));
        load.y.push_back(descent.largestLoad * experts);
        RouterUpstream upstream;
        upstream.weights = none.view();
        upstream.balanceScale = 1.0;
        upstream.length = kTokens;
        routeTopKBackward(routed.outputs(), upstream, gradient.view());
        for (std::size_t i = 0; i < logits.size(); ++i)
            logits.data()[i] -= kRate * gradient.data()[i];
    }
    descent.chart.series = {std::move(loss), std::move(load)};
    return descent;
}

LabMatrix weightMatrix(TensorView weights)
{
    weights.shape = Shape{kShownTokens, weights.shape[1]};
    LabMatrix matrix = matrixOf("word", "expert", weights);
    matrix.low = 0.0;
    matrix.high = 1.0;
    for (const double weight : matrix.values)
        matrix.masked.push_back(weight == 0.0);
    return matrix;
}

LabBars loadBars(const std::vector<double>& fractions)
{
    LabBars bars{"%"};
    for (std::size_t i = 0; i < fractions.size(); ++i)
        bars.bars.push_back({message(fmt::format("expert {}", i)), 100.0 * fractions[i],
                             fmt::format("{:.0f} %", 100.0 * fractions[i])});
    return bars;
}

SizeReport sizeWith(std::int64_t experts, std::int64_t topK)
{
    ModelConfig config;
    config.vocabularySize = 32000;
    config.dModel = 512;
    config.dFf = 2048;
    config.experts.count = experts;
    config.experts.topK = topK;
    return sizeReport(config);
}

} // namespace

LabResult runExperts(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::int64_t experts = settings.integer("experts");
    const std::int64_t topK = settings.integer("top_k");
    if (topK > experts)
        throw Error(fmt::format("cannot choose {} of {} experts", topK, experts),
                    "Experts per token", fmt::format("Choose 1 to {}", experts));
    const Tensor logits = skewedLogits(experts, settings.number("skew"));
    Routed routed = route(logits, topK);
    const std::vector<double> fractions = expertLoads(routed.weights.view());
    const double loss = balancingLoss(routed.outputs(), kTokens);
    Descent descent = balance(logits, topK);
    const SizeReport size = sizeWith(experts, topK);

    LabResult result;
    result.panels = {
        {"Experts of each token",
         fmt::format("The first {} of {} tokens; grey: not used", kShownTokens, kTokens),
         weightMatrix(routed.weights.view())},
        {"Load of each expert",
         fmt::format("Even load: {:.1f} %", 100.0 / static_cast<double>(experts)),
         loadBars(fractions)},
        {"Effect of the balancing loss", "Gradient descent on it alone", std::move(descent.chart)}};
    for (std::size_t i = 0; i < fractions.size(); ++i)
        result.numbers.push_back({fmt::format("load_{}", i), fmt::format("Load of expert {}", i),
                                  100.0 * fractions[i], "%"});
    const double largest = 100.0 * std::ranges::max(fractions);
    const auto idle = static_cast<double>(std::ranges::count(fractions, 0.0));
    result.numbers.insert(
        result.numbers.end(),
        {{"largest_load", "Largest load", largest, "%"},
         {"even_load", "Even load", 100.0 / static_cast<double>(experts), "%"},
         {"idle", "Idle experts", idle},
         {"balance", "Balancing loss", loss},
         {"balance_after", "Balancing loss afterwards", descent.last},
         {"largest_load_after", "Largest load afterwards", 100.0 * descent.largestLoad, "%"},
         {"parameters", "Parameters", static_cast<double>(size.total())},
         {"active", "Used per token", static_cast<double>(size.active)}});
    result.sentence = fmt::format(
        "The busiest expert takes {:.0f} % of the load, {:.0f} get none; the balancing loss is "
        "{:.2f}. Such a layer of width 512 has {} parameters, and a token uses {}.",
        largest, idle, loss, grouped(size.total()), grouped(size.active));
    putFirst(result, "largest_load");
    return result;
}

} // namespace headscope
