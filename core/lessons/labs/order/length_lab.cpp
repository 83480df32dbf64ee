#include "core/analysis/scores/distance_profile.h"
#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/short_training.h"
#include "core/ops/positions.h"
#include "core/ops/relative_bias.h"
#include "core/ops/rope.h"
#include "core/train/measures/pattern_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headscope {

namespace {

constexpr std::int64_t kWidth = 64;   ///< Width of sinusoidal rows.
constexpr std::int64_t kHeadDim = 16; ///< Dimensions rotated by RoPE.
constexpr std::int64_t kHeads = 8;

struct Lengths
{
    std::int64_t trained = 0;
    std::int64_t read = 0;
};

/// Dot product PE(0) PE(t) relative to PE(0) PE(0).
LabChart::Series sinusoidalLikeness(std::int64_t count)
{
    const Tensor table = sinusoidalPositions(count, kWidth);
    LabChart::Series series{"sinusoidal", countedPlaces(count)};
    for (std::int64_t row = 0; row < count; ++row) {
        double product = 0.0;
        for (std::int64_t i = 0; i < kWidth; ++i)
            product +=
                static_cast<double>(table.view()(0, i)) * static_cast<double>(table.view()(row, i));
        series.y.push_back(product / (static_cast<double>(kWidth) / 2.0));
    }
    return series;
}

/// Score of a query and a key of ones, relative to distance 0.
LabChart::Series rotaryLikeness(std::int64_t count)
{
    const RopeTable table(RopeSettings{}, kHeadDim, count, count);
    Tensor rows(Shape{count, kHeadDim});
    std::ranges::fill(rows.values(), 1.0F);
    rope(table, {rows.data(), count, kHeadDim, 1, kHeadDim, 0, count});
    LabChart::Series series{"RoPE", countedPlaces(count)};
    for (std::int64_t row = 0; row < count; ++row) {
        double product = 0.0;
        for (std::int64_t i = 0; i < kHeadDim; ++i)
            product += static_cast<double>(rows.view()(row, i));
        series.y.push_back(product / static_cast<double>(kHeadDim));
    }
    return series;
}

/// Factor e^(-slope t) on a weight, for the head with the longest range.
LabChart::Series alibiFactor(std::int64_t count)
{
    const auto slope = static_cast<double>(alibiSlopes(kHeads).back());
    LabChart::Series series{"ALiBi", countedPlaces(count)};
    for (std::int64_t row = 0; row < count; ++row)
        series.y.push_back(std::exp(-slope * static_cast<double>(row)));
    return series;
}

/// Number of waves whose period exceeds the trained length.
std::int64_t newWaves(std::int64_t width, std::int64_t trained)
{
    std::int64_t count = 0;
    for (std::int64_t column = 0; column < width; column += 2)
        if (sinusoidalAngle(static_cast<double>(trained), column, width, 10000.0) <
            2.0 * std::numbers::pi)
            ++count;
    return count;
}

LabTable gifts(const Lengths& at)
{
    const std::int64_t last = at.read - 1;
    const bool isBeyond = at.read > at.trained;
    const RelativeBuckets buckets;
    const auto slope = static_cast<double>(alibiSlopes(kHeads).back());
    LabTable table{{"encoding", fmt::format("value at position {}", last)}};
    table.rows = {
        {"learned",
         isBeyond ? fmt::format("none: the last row is {}", at.trained - 1) : "a trained row"},
        {"sinusoidal", fmt::format("a row; {} of {} waves at an unseen phase",
                                   isBeyond ? newWaves(kWidth, at.trained) : 0, kWidth / 2)},
        {"RoPE", fmt::format("a rotation; {} of {} pairs at an unseen angle",
                             isBeyond ? newWaves(kHeadDim, at.trained) : 0, kHeadDim / 2)},
        {"ALiBi", fmt::format("{:.3g} for the first word, on the same line",
                              -slope * static_cast<double>(last))},
        {"relative (T5)", fmt::format("bucket {} for the first word, of {}",
                                      buckets.bucketOf(-last), buckets.count)},
        {"none", "none, as at every position"}};
    for (auto& row : table.rows)
        for (std::string& cell : row)
            cell = message(cell);
    return table;
}

/// Mean attention weight by distance over all heads, on a held-out text of `tokens` tokens.
LabChart::Series weightByDistance(const ShortTraining& training, const PreparedData& data,
                                  std::int64_t tokens, const LabContext& context)
{
    ModelConfig longer = training.model->config();
    longer.maxLen = std::max(longer.maxLen, tokens);
    const Model model(longer, training.model->parameters());
    PatternKeeper keeper(Site::Pattern);
    KvCache cache(longer);
    const auto backend = backendOf(context);
    const std::vector<TokenId>& text = data.text->validationTokens();
    model.forward(std::span(text).first(static_cast<std::size_t>(tokens)), *backend, cache,
                  &keeper);
    LabChart::Series series{training.label, countedPlaces(tokens)};
    series.y.assign(static_cast<std::size_t>(tokens), 0.0);
    double heads = 0.0;
    for (const Tensor& layer : keeper.patterns) {
        const TensorView patterns = layer.view();
        for (std::int64_t head = 0; head < patterns.shape[0]; ++head, ++heads) {
            const DistanceProfile profile(patterns[head]);
            for (std::int64_t distance = 0; distance < tokens; ++distance)
                series.y[static_cast<std::size_t>(distance)] += profile.at(distance);
        }
    }
    for (double& weight : series.y)
        weight /= heads;
    return series;
}

LabTable perplexities(const std::vector<LabChart::Series>& curves)
{
    LabTable table{{"encoding"}};
    for (const double length : curves.back().x)
        table.columns.push_back(fmt::format("{} tokens", length));
    for (const LabChart::Series& curve : curves) {
        std::vector<std::string> row{curve.name};
        for (std::size_t i = 0; i + 1 < table.columns.size(); ++i)
            row.push_back(i < curve.y.size() ? fmt::format("{:.1f}", curve.y[i])
                                             : message("no positions"));
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

LabResult runBeyondLength(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    Lengths at;
    at.trained = settings.integer("trained");
    at.read = static_cast<std::int64_t>(
        std::llround(settings.number("times") * static_cast<double>(at.trained)));
    LabChart chart{"distance", "relative to distance 0"};
    chart.series = {sinusoidalLikeness(at.read), rotaryLikeness(at.read), alibiFactor(at.read)};
    chart.mark = static_cast<double>(at.trained - 1);
    chart.markText = "trained to here";
    const RelativeBuckets buckets;
    const double waves = static_cast<double>(newWaves(kWidth, at.trained));

    LabResult result;
    result.numbers = {
        {"trained", "Trained length", static_cast<double>(at.trained), "tokens"},
        {"read", "Length read", static_cast<double>(at.read), "tokens"},
        {"waves", "Waves per row", static_cast<double>(kWidth / 2)},
        {"new_waves", "Waves at unseen phases", waves},
        {"new_pairs", "Pairs at unseen angles",
         static_cast<double>(newWaves(kHeadDim, at.trained))},
        {"pairs", "RoPE pairs", static_cast<double>(kHeadDim / 2)},
        {"alibi", "ALiBi at the end", chart.series[2].y.back()},
        {"sinusoidal", "Sinusoidal at the end", chart.series[0].y.back()},
        {"bucket", "Last T5 bucket", static_cast<double>(buckets.bucketOf(-(at.read - 1)))}};
    result.panels = {{"Effect of the encoding alone", "Right of the mark: never seen in training",
                      std::move(chart)},
                     {"Beyond the trained length", {}, gifts(at)}};
    result.sentence =
        at.read > at.trained
            ? fmt::format("Trained on {} tokens, reading {}: learned positions have no row from "
                          "position {} on, and {} of {} sinusoidal waves are at a phase never "
                          "seen in training.",
                          at.trained, at.read, at.trained, waves, kWidth / 2)
            : fmt::format("Trained on {} tokens, reading {}: every position was seen in training.",
                          at.trained, at.read);
    putFirst(result, "new_waves");
    return result;
}

LabResult runExtrapolation(const LabSettings& settings, const LabContext& context,
                           const std::stop_token& stop)
{
    std::vector<std::string> names{"learned", settings.text("first")};
    if (settings.text("second") != settings.text("first"))
        names.push_back(settings.text("second"));
    auto trainings = shortTrainings("positions-length", names, settings.integer("steps"));
    const PreparedData data = trainShortly(trainings, context, stop);

    LabChart lengths{"tokens", "perplexity", true, true};
    LabChart weights{"distance", "mean weight", false, true};
    LabResult result;
    for (std::size_t i = 0; i < trainings.size(); ++i) {
        throwIfStopped(stop);
        const std::int64_t trained = trainings[i].config.model.maxLen;
        const VariantResult measured =
            measureShortly(Measure::Lengths, trainings[i], data, context);
        const ExperimentSeries& curve = measured.curve("length_perplexity");
        lengths.series.push_back({trainings[i].label, curve.x, curve.y});
        const std::string name = names[i];
        for (std::size_t at = 0; at < curve.x.size(); ++at)
            result.numbers.push_back(
                {fmt::format("{}_{}", name, curve.x[at]),
                 fmt::format("Perplexity at {} tokens, {}", curve.x[at], trainings[i].label),
                 curve.y[at]});
        lengths.mark = static_cast<double>(trained);
        weights.mark = static_cast<double>(trained - 1);
        if (name != "learned")
            weights.series.push_back(weightByDistance(trainings[i], data, 4 * trained, context));
    }
    lengths.markText = weights.markText = "trained to here";
    const double last = lengths.series.back().x.back();
    const double shortest = result.number(fmt::format("{}_{}", names.back(), *lengths.mark)).value;
    const double longest = result.number(fmt::format("{}_{}", names.back(), last)).value;
    result.numbers.push_back({"times_worse", "Perplexity ratio", longest / shortest});
    result.sentence = fmt::format(
        "With {} the perplexity of the last 16 tokens is {:.1f} at the trained length of {} and "
        "{:.1f} at {}. Learned positions end at {}.",
        lengths.series.back().name, shortest, *lengths.mark, longest, last, *lengths.mark);
    LabTable table = perplexities(lengths.series);
    result.panels = {
        {"Perplexity by length", "Of the last 16 tokens; lower is better", std::move(lengths)},
        {"Attention by distance in the longest text", "Mean of all heads", std::move(weights)},
        {"Values", {}, std::move(table)}};
    putFirst(result, "times_worse");
    return result;
}

} // namespace headscope
