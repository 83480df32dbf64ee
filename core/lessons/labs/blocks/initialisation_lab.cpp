#include "core/base/content_language.h"
#include "core/base/random.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/cross_entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

constexpr std::int64_t kVocabulary = 256;
constexpr std::int64_t kLength = 32;
constexpr std::size_t kBins = 41;
constexpr double kReach = 4.0; ///< Standard deviations shown on either side.
constexpr std::uint64_t kSeed = 1;
constexpr std::array<double, 7> kDeviations{0.002, 0.005, 0.02, 0.05, 0.1, 0.3, 1.0};

Model freshModel(std::int64_t width, double deviation)
{
    ModelConfig config;
    config.vocabularySize = kVocabulary;
    config.dModel = width;
    config.heads = 4;
    config.layers = 2;
    config.dFf = 4 * width;
    config.maxLen = kLength;
    config.initStd = deviation;
    return Model::initialised(config, kSeed);
}

double firstLoss(const Model& model, AttentionBackend& backend)
{
    Random random(kSeed);
    std::vector<TokenId> ids;
    std::vector<TokenId> targets;
    for (std::int64_t i = 0; i < kLength; ++i) {
        ids.push_back(static_cast<TokenId>(random.below(kVocabulary)));
        targets.push_back(static_cast<TokenId>(random.below(kVocabulary)));
    }
    KvCache cache(model.config());
    const Tensor logits = model.forward(ids, backend, cache);
    return crossEntropy(logits.view(), targets, {}) / static_cast<double>(kLength);
}

/// Sampled parameters by kind.
struct Drawn
{
    std::vector<double> matrices;
    std::vector<double> biases; ///< Biases of linear layers and norms.
    std::vector<double> scales; ///< Scales of norms.
};

Drawn parametersOf(const Model& model)
{
    Drawn drawn;
    const ParameterSet& parameters = model.parameters();
    for (const ParameterSpec& spec : parameters.specs()) {
        const TensorView view = parameters.view(spec);
        std::vector<double>& kind = spec.shape.rank() > 1            ? drawn.matrices
                                    : spec.name.ends_with(".weight") ? drawn.scales
                                                                     : drawn.biases;
        for (std::int64_t i = 0; i < view.shape.elementCount(); ++i)
            kind.push_back(static_cast<double>(view.data[i]));
    }
    return drawn;
}

struct Moments
{
    double mean = 0.0;
    double deviation = 0.0;
    double largest = 0.0; ///< Largest absolute value.
};

Moments snapshotsOf(const std::vector<double>& values)
{
    Moments moments;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) {
        moments.mean += value / count;
        moments.largest = std::max(moments.largest, std::abs(value));
    }
    for (const double value : values)
        moments.deviation += (value - moments.mean) * (value - moments.mean) / count;
    moments.deviation = std::sqrt(moments.deviation);
    return moments;
}

LabChart histogram(const std::vector<double>& values, double deviation)
{
    LabChart chart{"weight", "density"};
    LabChart::Series drawn{"sampled", {}, std::vector<double>(kBins, 0.0)};
    LabChart::Series curve{"N(0, std)", {}, {}, true};
    const double width = 2.0 * kReach * deviation / static_cast<double>(kBins);
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        const double x = (static_cast<double>(bin) + 0.5) * width - kReach * deviation;
        const double z = x / deviation;
        drawn.x.push_back(x);
        curve.x.push_back(x);
        curve.y.push_back(std::exp(-z * z / 2.0) / (deviation * std::sqrt(2.0 * std::numbers::pi)));
    }
    for (const double value : values) {
        const double place = (value + kReach * deviation) / width;
        if (place >= 0.0 && place < static_cast<double>(kBins))
            drawn.y[static_cast<std::size_t>(place)] +=
                1.0 / (width * static_cast<double>(values.size()));
    }
    chart.series = {std::move(drawn), std::move(curve)};
    return chart;
}

LabChart lossesByDeviation(std::int64_t width, double chosen, AttentionBackend& backend,
                           const std::stop_token& stop)
{
    LabChart chart{"std of the weights", "loss before training, nats", true, true};
    LabChart::Series losses{"first loss"};
    LabChart::Series even{"uniform guess: ln V", {}, {}, true};
    for (const double deviation : kDeviations) {
        throwIfStopped(stop);
        losses.x.push_back(deviation);
        losses.y.push_back(firstLoss(freshModel(width, deviation), backend));
        even.x.push_back(deviation);
        even.y.push_back(std::log(static_cast<double>(kVocabulary)));
    }
    chart.series = {std::move(losses), std::move(even)};
    chart.mark = chosen;
    chart.markText = "current setting";
    return chart;
}

std::vector<std::string> snapshotsRow(const std::string& name, const std::vector<double>& values)
{
    const Moments moments = snapshotsOf(values);
    return {message(name), grouped(static_cast<std::int64_t>(values.size())),
            fmt::format("{:.5f}", moments.mean + 0.0), fmt::format("{:.5f}", moments.deviation)};
}

} // namespace

LabResult runInitialisation(const LabSettings& settings, const LabContext& context,
                            const std::stop_token& stop)
{
    const double deviation = settings.number("std");
    const std::int64_t width = settings.integer("d");
    const auto backend = backendOf(context);
    const Model model = freshModel(width, deviation);
    const Drawn drawn = parametersOf(model);
    const Moments matrices = snapshotsOf(drawn.matrices);
    const double loss = firstLoss(model, *backend);
    const double even = std::log(static_cast<double>(kVocabulary));

    LabTable table{{"part", "count", "mean", "std"}};
    table.rows = {snapshotsRow("matrices", drawn.matrices), snapshotsRow("biases", drawn.biases),
                  snapshotsRow("scales of norms", drawn.scales)};
    LabResult result;
    result.panels = {{"Weights of an untrained model", "Dashed: distribution sampled from",
                      histogram(drawn.matrices, deviation)},
                     {"The loss before training",
                      fmt::format("Vocabulary of {} tokens", kVocabulary),
                      lossesByDeviation(width, deviation, *backend, stop)},
                     {"Initial values by kind", {}, std::move(table)}};
    result.numbers = {{"weights", "Weights", static_cast<double>(drawn.matrices.size())},
                      {"mean", "Mean of the weights", matrices.mean},
                      {"std", "Std of the weights", matrices.deviation},
                      {"largest_bias", "Largest bias", snapshotsOf(drawn.biases).largest},
                      {"biases", "Biases", static_cast<double>(drawn.biases.size())},
                      {"first_loss", "Loss before training", loss, "nats"},
                      {"even_loss", "Uniform guess", even, "nats"}};
    result.sentence =
        fmt::format("{} weights have mean {:.1e} and standard deviation {:.4g}; all {} biases are "
                    "{}. The first "
                    "loss is {:.2f}, that of a uniform guess {:.2f}.",
                    grouped(static_cast<std::int64_t>(drawn.matrices.size())), matrices.mean,
                    matrices.deviation, grouped(static_cast<std::int64_t>(drawn.biases.size())),
                    snapshotsOf(drawn.biases).largest, loss, even);
    putFirst(result, "first_loss");
    return result;
}

} // namespace headscope
