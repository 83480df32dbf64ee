#include "core/experiments/power_law.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/short_training.h"
#include "core/model/config/size_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr const char* kExperiment = "scaling-law";
constexpr int kFitPoints = 40;

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

LabChart chartOf(const std::vector<PowerLawPoint>& points, const PowerLaw& law)
{
    LabChart::Series measured{"measured", {}, {}};
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
    return {"parameters without embeddings", "held-out loss", true, true, {measured, fitted}};
}

LabTable tableOf(const std::vector<ShortTraining>& trainings,
                 const std::vector<PowerLawPoint>& points, const PowerLaw& law)
{
    LabTable table{{"Model", "Parameters", "Loss", "Power law"}, {}, -1};
    for (std::size_t i = 0; i < points.size(); ++i)
        table.rows.push_back({trainings[i].label, grouped(std::llround(points[i].size)),
                              fmt::format("{:.3f}", points[i].loss),
                              fmt::format("{:.3f}", law.at(points[i].size))});
    return table;
}

} // namespace

LabResult runScaling(const LabSettings& settings, const LabContext& context,
                     const std::stop_token& stop)
{
    std::vector<ShortTraining> trainings = shortTrainings(
        kExperiment, variantsFor(settings.integer("sizes")), settings.integer("steps"));
    const PreparedData data = trainShortly(trainings, context, stop);
    std::vector<PowerLawPoint> points;
    double seconds = 0.0;
    for (const ShortTraining& training : trainings) {
        stopIfAsked(stop);
        points.push_back({sizeOf(*training.model), heldOutLoss(training, data, context)});
        seconds += training.seconds;
    }
    const PowerLaw law = fitPowerLaw(points);

    LabResult result;
    result.panels = {{"Loss by model size", "Logarithmic axes: a power law is nearly a line",
                      chartOf(points, law)},
                     {"The models", "One text, one number of steps; experiment scaling-law",
                      tableOf(trainings, points, law)},
                     lossCurves(trainings)};
    result.numbers = {{"sizes", "Models trained", static_cast<double>(points.size()), {}},
                      {"steps", "Steps per model", settings.number("steps"), {}},
                      {"smallest_loss", "Loss of the smallest model", points.front().loss, "nats"},
                      {"largest_loss", "Loss of the largest model", points.back().loss, "nats"},
                      {"floor", "Floor E", law.floor, "nats"},
                      {"factor", "Factor A", law.factor, {}},
                      {"exponent", "Exponent", law.exponent, {}},
                      {"residual", "Typical error of the fit", law.residual, {}},
                      {"seconds", "Training time", seconds, "s", true}};
    result.sentence = fmt::format(
        "L(N) = {:.3f} + {:.3g} N^-{:.3f} fits within {:.1f} % of the {} losses that were "
        "measured.",
        law.floor, law.factor, law.exponent, 100.0 * law.residual, points.size());
    return result;
}

} // namespace headscope
