#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/model/config/size_report.h"
#include "core/ops/gated_activation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kPoints = 161; ///< Points from -4 to 4.
constexpr double kStep = 0.05;

struct Curve
{
    const char* name;
    const char* title;
    Activation activation;
};

constexpr Curve kCurves[]{{"relu", "ReLU", Activation::Relu},
                          {"gelu", "GELU", Activation::GeluExact},
                          {"swiglu", "SwiGLU", Activation::SwiGlu}};

/// Activation at x. SwiGLU has two inputs: x is its gate, and 1 is the gated value.
double passed(Activation kind, double x)
{
    Tensor in(Shape{1, 2});
    Tensor out(Shape{1, 1});
    in.data()[0] = static_cast<float>(x);
    in.data()[1] = 1.0F;
    if (kind == Activation::SwiGlu) {
        gatedActivation(ActivationKind::Silu, in.view(), {}, out.view());
        return static_cast<double>(out.data()[0]);
    }
    const TensorView first(in.data(), Shape{1, 1});
    activation(kind == Activation::Relu ? ActivationKind::Relu : ActivationKind::GeluExact, first,
               {}, out.view());
    return static_cast<double>(out.data()[0]);
}

LabChart curves(const std::string& chosen)
{
    LabChart chart{"input", "output"};
    for (const Curve& curve : kCurves) {
        LabChart::Series series{curve.title, {}, {}, chosen != curve.name};
        for (std::int64_t i = 0; i < kPoints; ++i) {
            series.x.push_back(kStep * static_cast<double>(i - kPoints / 2));
            series.y.push_back(passed(curve.activation, series.x.back()));
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

SizeReport sizeOf(std::int64_t width, std::int64_t inner, Activation kind)
{
    ModelConfig config;
    config.vocabularySize = 1;
    config.dModel = width;
    config.heads = 1;
    config.layers = 1;
    config.dFf = inner;
    config.activation = kind;
    return sizeReport(config);
}

LabBars::Bar sizeBar(const std::string& label, std::int64_t parameters, bool isSubject)
{
    return {message(label), static_cast<double>(parameters), grouped(parameters), isSubject};
}

LabTable values()
{
    LabTable table{{"input"}};
    for (const Curve& curve : kCurves)
        table.columns.emplace_back(curve.title);
    for (const double x : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) {
        std::vector<std::string> row{fmt::format("{}", x)};
        for (const Curve& curve : kCurves)
            row.push_back(fmt::format("{:.4f}", passed(curve.activation, x) + 0.0));
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

LabResult runFeedForward(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::string& chosen = settings.text("activation");
    const std::int64_t width = settings.integer("d");
    const auto inner = static_cast<std::int64_t>(
        std::llround(settings.number("times") * static_cast<double>(width)));
    const std::int64_t less = std::max<std::int64_t>(1, inner * 2 / 3);
    const SizeReport plain = sizeOf(width, inner, Activation::GeluExact);
    const SizeReport gated = sizeOf(width, inner, Activation::SwiGlu);
    const SizeReport fair = sizeOf(width, less, Activation::SwiGlu);
    const SizeReport& shown = chosen == "swiglu" ? gated : plain;

    LabResult result;
    result.panels = {
        {"Activation functions", "SwiGLU: gate of a value of 1", curves(chosen)},
        {fmt::format("Parameters, d_ff = {}", inner),
         "SwiGLU has three weight matrices, the others two",
         LabBars{"",
                 {sizeBar("attention", plain.attention, false),
                  sizeBar("ReLU, GELU", plain.feedForward, chosen != "swiglu"),
                  sizeBar("SwiGLU", gated.feedForward, chosen == "swiglu"),
                  sizeBar(fmt::format("SwiGLU, d_ff = {}", less), fair.feedForward, false)}}},
        {"Values", {}, values()}};
    const double fraction =
        100.0 * static_cast<double>(shown.feedForward) / static_cast<double>(shown.block);
    result.numbers = {
        {"d", "Width", static_cast<double>(width)},
        {"d_ff", "Inner width", static_cast<double>(inner)},
        {"parameters", "Feed-forward network", static_cast<double>(shown.feedForward)},
        {"parameters_plain", "ReLU or GELU", static_cast<double>(plain.feedForward)},
        {"parameters_gated", "SwiGLU", static_cast<double>(gated.feedForward)},
        {"block", "Whole block", static_cast<double>(shown.block)},
        {"share", "Fraction of the block", fraction, "%"}};
    for (const Curve& curve : kCurves) {
        const std::string name = curve.name;
        result.numbers.push_back({name + "_minus_1", fmt::format("{} of \u22121", curve.title),
                                  passed(curve.activation, -1.0)});
        result.numbers.push_back(
            {name + "_1", fmt::format("{} of 1", curve.title), passed(curve.activation, 1.0)});
    }
    result.sentence =
        fmt::format("From {} to {} channels and back: {} parameters, {:.0f} % of the block's {}.",
                    width, inner, grouped(shown.feedForward), fraction, grouped(shown.block));
    putFirst(result, "parameters");
    return result;
}

} // namespace headscope
