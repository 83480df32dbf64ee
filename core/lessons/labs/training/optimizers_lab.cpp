#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/train/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope {

namespace {

constexpr int kSteps = 100;
constexpr int kShownSteps = 6;
constexpr double kLost = 1e6;     ///< Distance beyond which a path has diverged.
constexpr double kLowest = 1e-12; ///< Minimum loss plotted on the logarithmic axis.

/// Valley 20 times as steep across as along, with its minimum at (1, 1).
constexpr double kAlong = 1.0;
constexpr double kAcross = 20.0;

struct Point
{
    double x = -4.0;
    double y = 2.0;
};

double lossAt(const Point& point)
{
    return 0.5 * (kAlong * std::pow(point.x - 1.0, 2) + kAcross * std::pow(point.y - 1.0, 2));
}

Point gradientAt(const Point& point)
{
    return {kAlong * (point.x - 1.0), kAcross * (point.y - 1.0)};
}

/// Tiny model whose first matrix has two weights, the coordinates of the path.
ModelConfig twoNumbers()
{
    ModelConfig config;
    config.vocabularySize = 1;
    config.dModel = 2;
    config.heads = 1;
    config.layers = 1;
    config.dFf = 2;
    config.maxLen = 1;
    config.positions = Positions::None;
    return config;
}

OptimizerSettings settingsFor(OptimizerKind kind, const LabSettings& settings)
{
    OptimizerSettings result;
    result.kind = kind;
    result.learningRate = settings.number("rate");
    result.weightDecay = settings.number("decay");
    result.beta2 = 0.999;
    result.momentum = 0.0;
    const double clip = settings.number("clip");
    result.clipNorm = clip > 0.0 ? std::optional(clip) : std::nullopt;
    return result;
}

struct Walk
{
    std::string name;
    std::vector<Point> points; ///< The start, then one point per step.
    bool ranOff = false;

    double endLoss() const { return lossAt(points.back()); }
};

Walk walk(std::string name, const OptimizerSettings& settings)
{
    const ModelConfig config = twoNumbers();
    TrainingState state{0, ParameterSet(config), ParameterSet(config), ParameterSet(config)};
    ParameterSet gradients(config);
    const Optimizer optimizer(settings, state.parameters);
    Walk result{std::move(name), {Point{}}, false};
    const std::size_t place = state.parameters.specs().front().offset;
    const std::span<float> weights = state.parameters.values().subspan(place, 2);
    const std::span<float> slope = gradients.values().subspan(place, 2);
    weights[0] = static_cast<float>(Point{}.x);
    weights[1] = static_cast<float>(Point{}.y);
    for (; state.step < kSteps && !result.ranOff; ++state.step) {
        const Point gradient = gradientAt(result.points.back());
        slope[0] = static_cast<float>(gradient.x);
        slope[1] = static_cast<float>(gradient.y);
        optimizer.update(state, gradients, settings.learningRate,
                         std::hypot(gradient.x, gradient.y));
        const Point next{static_cast<double>(weights[0]), static_cast<double>(weights[1])};
        result.ranOff = !(std::abs(next.x) < kLost && std::abs(next.y) < kLost);
        if (!result.ranOff)
            result.points.push_back(next);
    }
    return result;
}

LabChart chartOf(const std::array<Walk, 3>& walks, const char* y, bool isLog,
                 double (*height)(const Point&))
{
    LabChart chart{"step", y, false, isLog};
    for (const Walk& one : walks) {
        LabChart::Series series{one.name};
        for (std::size_t step = 0; step < one.points.size(); ++step) {
            series.x.push_back(static_cast<double>(step));
            series.y.push_back(height(one.points[step]));
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

LabTable firstSteps(const std::array<Walk, 3>& walks)
{
    LabTable table{{"Step"}};
    for (const Walk& one : walks)
        table.columns.push_back(one.name + ": along, across");
    for (std::size_t step = 0; step <= kShownSteps; ++step) {
        std::vector<std::string> row{fmt::format("{}", step)};
        for (const Walk& one : walks)
            row.push_back(
                step < one.points.size()
                    ? fmt::format("{:.3f}, {:.3f}", one.points[step].x, one.points[step].y)
                    : message("diverged"));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string endOf(const Walk& one)
{
    return message(one.ranOff
                       ? fmt::format("{} diverges", one.name)
                       : fmt::format("{} ends at a loss of {:.4f}", one.name, one.endLoss()));
}

} // namespace

LabResult runOptimizers(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::array<Walk, 3> walks{walk("SGD", settingsFor(OptimizerKind::Sgd, settings)),
                                    walk("Adam", settingsFor(OptimizerKind::Adam, settings)),
                                    walk("AdamW", settingsFor(OptimizerKind::AdamW, settings))};
    const Point slope = gradientAt(Point{});
    const double norm = std::hypot(slope.x, slope.y);
    const double factor = clipCoefficient(norm, settingsFor(OptimizerKind::Sgd, settings).clipNorm);

    LabResult result;
    result.panels = {{"Loss by step", "A valley 20 times as steep across as along",
                      chartOf(walks, "loss", true,
                              [](const Point& point) { return std::max(lossAt(point), kLowest); })},
                     {"Across the valley", "Its floor is at 1",
                      chartOf(walks, "across", false, [](const Point& point) { return point.y; })},
                     {"First steps", "", firstSteps(walks)}};
    result.numbers = {{"rate", "Learning rate", settings.number("rate")},
                      {"first_norm", "Length of the first gradient", norm},
                      {"clip_factor", "Clip factor", factor},
                      {"sgd_limit", "Largest stable rate for SGD", 2.0 / kAcross},
                      {"steps", "Steps", static_cast<double>(kSteps)},
                      {"start_loss", "Loss at the start", lossAt(Point{})}};
    for (const Walk& one : walks) {
        std::string name = one.name == "SGD" ? "sgd" : one.name == "Adam" ? "adam" : "adamw";
        result.numbers.push_back({name + "_loss", one.name + ", loss", one.endLoss()});
        result.numbers.push_back({name + "_x", one.name + ", along", one.points.back().x});
        result.numbers.push_back({name + "_y", one.name + ", across", one.points.back().y});
        result.numbers.push_back({name + "_first", one.name + ", length of the first step",
                                  one.points.size() < 2 ? 0.0
                                                        : std::hypot(one.points[1].x - Point{}.x,
                                                                     one.points[1].y - Point{}.y)});
    }
    result.sentence = fmt::format("{}; {}; {}.", endOf(walks[0]), endOf(walks[1]), endOf(walks[2]));
    return result;
}

} // namespace headscope
