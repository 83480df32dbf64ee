#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/scaling_fits.h"
#include "core/lessons/labs/training/short_training.h"
#include "core/model/config/size_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

constexpr const char* kExperiment = "scaling-law";
constexpr int kFitPoints = 40;
constexpr std::int64_t kBudgets[] = {8, 4,
                                     2}; ///< The largest model also gets these parts of the steps.

/// Variants of the experiment for `count` model sizes, smallest first.
std::vector<std::string> variantsFor(std::int64_t count)
{
    const std::vector<std::vector<std::string>> choices{
        {"d16", "d32", "d80"},
        {"d16", "d24", "d48", "d80"},
        {"d16", "d24", "d32", "d48", "d80"},
        {"d16", "d24", "d32", "d48", "d80", "d128"}};
    return choices.at(static_cast<std::size_t>(count) - 3);
}

/// Number of parameters without embeddings.
double sizeOf(const Model& model)
{
    const SizeReport size = sizeReport(model.config());
    return static_cast<double>(size.total() - size.embeddings);
}

double heldOutLoss(const ShortTraining& training, const PreparedData& data,
                   const LabContext& context)
{
    const auto backend = backendOf(context);
    const TrainedVariant variant{training.config, data, *training.model, *backend,
                                 [&context] { return backendOf(context); }};
    VariantResult result;
    addHeldOut(variant, result);
    return result.number("validation_loss");
}

LabChart chartOf(const std::vector<PowerLawPoint>& points, const PowerLaw& law, const char* x)
{
    LabChart::Series measured{"measured"};
    for (const PowerLawPoint& point : points) {
        measured.x.push_back(point.size);
        measured.y.push_back(point.loss);
    }
    LabChart::Series fitted{"power law", {}, {}, true};
    const double low = std::log(points.front().size);
    const double high = std::log(points.back().size);
    for (int i = 0; i <= kFitPoints; ++i) {
        const double size = std::exp(low + (high - low) * i / kFitPoints);
        fitted.x.push_back(size);
        fitted.y.push_back(law.at(size));
    }
    return {x, "held-out loss", true, true, {measured, fitted}};
}

/// A law as fitted here, beside the published ones.
struct Fitted
{
    ScalingLaw law = ScalingLaw::Size;
    const char* name = "";
    const char* x = "";
    std::vector<PowerLawPoint> points;
    PowerLaw fit; ///< Its exponent is NaN with fewer than three points.
    double straight = 0.0;
};

Fitted fitted(ScalingLaw law, const char* name, const char* x, const std::vector<ScalingPoint>& all)
{
    Fitted result{law, name, x, scalingPoints(all, law), {}, 0.0};
    result.straight = straightExponent(result.points);
    result.fit.exponent = std::numeric_limits<double>::quiet_NaN();
    if (result.points.size() >= 3)
        result.fit = fitPowerLaw(result.points);
    return result;
}

std::vector<Fitted> allFits(const std::vector<ScalingPoint>& points)
{
    return {fitted(ScalingLaw::Size, "L(N), model size", "parameters without embeddings", points),
            fitted(ScalingLaw::Data, "L(D), tokens", "tokens", points),
            fitted(ScalingLaw::Compute, "L(C), compute", "FLOP", points)};
}

std::string exponentText(double exponent)
{
    return std::isfinite(exponent) ? fmt::format("{:.3f}", exponent) : message("too few points");
}

LabTable exponentTable(const std::vector<Fitted>& fits, int current)
{
    LabTable table{{"Law", "Points", "With a floor, here", "Hoffmann 2022", "Straight line, here",
                    "Kaplan 2020"},
                   {},
                   current};
    for (const Fitted& one : fits) {
        const PublishedExponents published = publishedExponents(one.law);
        table.rows.push_back({message(one.name), fmt::format("{}", one.points.size()),
                              exponentText(one.fit.exponent), exponentText(published.hoffmann),
                              exponentText(one.straight), exponentText(published.kaplan)});
    }
    return table;
}

LabTable tableOf(const std::vector<ScalingPoint>& points)
{
    LabTable table{{"Model", "Parameters", "Tokens", "FLOP", "Loss"}};
    for (const ScalingPoint& point : points)
        table.rows.push_back({message(point.label), grouped(std::llround(point.parameters)),
                              grouped(std::llround(point.tokens)),
                              fmt::format("{:.2e}", point.compute()),
                              fmt::format("{:.3f}", point.loss)});
    return table;
}

/// Sizes at the full number of steps, then the largest at parts of it.
std::vector<ShortTraining> trainingsFor(const LabSettings& settings)
{
    const std::int64_t steps = settings.integer("steps");
    const std::vector<std::string> sizes = variantsFor(settings.integer("sizes"));
    std::vector<ShortTraining> trainings = shortTrainings(kExperiment, sizes, steps);
    for (const std::int64_t part : kBudgets) {
        std::vector<ShortTraining> shorter =
            shortTrainings(kExperiment, {sizes.back()}, std::max<std::int64_t>(steps / part, 1));
        trainings.push_back(std::move(shorter.front()));
    }
    return trainings;
}

ScalingPoint pointOf(const ShortTraining& training, const PreparedData& data,
                     const LabContext& context)
{
    const TrainingConfig& config = training.config;
    const std::int64_t tokens = config.steps * config.batchSize * config.model.maxLen;
    return {training.label, sizeOf(*training.model), static_cast<double>(tokens),
            heldOutLoss(training, data, context)};
}

std::vector<LabNumber> numbersOf(const std::vector<Fitted>& fits)
{
    const char* const keys[] = {"n", "d", "c"};
    const char* const laws[] = {"L(N)", "L(D)", "L(C)"};
    std::vector<LabNumber> numbers;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        const PublishedExponents published = publishedExponents(fits[i].law);
        numbers.push_back({fmt::format("straight_{}", keys[i]),
                           fmt::format("Exponent here, {}", laws[i]), fits[i].straight});
        numbers.push_back({fmt::format("kaplan_{}", keys[i]),
                           fmt::format("Kaplan 2020, {}", laws[i]), published.kaplan});
        numbers.push_back({fmt::format("hoffmann_{}", keys[i]),
                           fmt::format("Hoffmann 2022, {}", laws[i]), published.hoffmann});
    }
    return numbers;
}

} // namespace

LabResult runScaling(const LabSettings& settings, const LabContext& context,
                     const std::stop_token& stop)
{
    std::vector<ShortTraining> trainings = trainingsFor(settings);
    const PreparedData data = trainShortly(trainings, context, stop);
    std::vector<ScalingPoint> points;
    double seconds = 0.0;
    for (const ShortTraining& training : trainings) {
        throwIfStopped(stop);
        points.push_back(pointOf(training, data, context));
        seconds += training.seconds;
    }
    const std::vector<Fitted> fits = allFits(points);
    const std::string& chosen = settings.text("law");
    const std::size_t current = chosen == "data" ? 1 : chosen == "compute" ? 2 : 0;
    const Fitted& shown = fits[current].points.size() >= 3 ? fits[current] : fits[0];
    const PowerLaw& law = fits[0].fit;

    LabResult result;
    result.panels = {
        {fmt::format("Loss by {}", shown.x), "Logarithmic axes: a power law is nearly a line",
         chartOf(shown.points, shown.fit, shown.x)},
        {"Exponents, here and published", "With a floor: E + A / x^a. Straight line: (x0 / x)^a",
         exponentTable(fits, static_cast<int>(current))},
        {"The models", "One text; tokens that are trained on once", tableOf(points)}};
    const std::size_t last = static_cast<std::size_t>(settings.integer("sizes")) - 1;
    result.numbers = {{"exponent", "Exponent", law.exponent},
                      {"sizes", "Models trained", settings.number("sizes")},
                      {"steps", "Steps per model", settings.number("steps")},
                      {"smallest_loss", "Loss of the smallest model", points.front().loss, "nats"},
                      {"largest_loss", "Loss of the largest model", points[last].loss, "nats"},
                      {"floor", "Floor E", law.floor, "nats"},
                      {"factor", "Factor A", law.factor},
                      {"residual", "Typical error of the fit", law.residual},
                      {"seconds", "Training time", seconds, "s", true}};
    std::ranges::move(numbersOf(fits), std::back_inserter(result.numbers));
    result.sentence = fmt::format(
        "L(N) = {:.3f} + {:.3g} N^-{:.3f} fits within {:.1f} % of the {} losses that were "
        "measured.",
        law.floor, law.factor, law.exponent, 100.0 * law.residual, fits[0].points.size());
    return result;
}

} // namespace headscope
