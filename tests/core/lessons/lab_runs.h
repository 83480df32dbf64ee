#pragma once

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace headscope::test {

/// A model that is built in, by "builtin:NAME".
inline LoadedModel shippedModel(const std::string& name)
{
    const std::filesystem::path folder = std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                         "resources/models" / name.substr(name.find(':') + 1);
    LoadedModel model = loadCheckpoint(folder / "model.safetensors");
    model.name = name;
    return model;
}

/// With no model open, and the sentence of the lessons.
inline LabContext labContext()
{
    LabContext context;
    context.text = "The cat sat on the mat";
    context.openModel = shippedModel;
    context.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return context;
}

/// Once for all tests of a program: it is read from a file.
inline const LoadedModel& storyModel()
{
    static const LoadedModel model = shippedModel("builtin:stories");
    return model;
}

inline LabContext openContext(const LoadedModel& model,
                              const std::string& text = "The cat sat on the mat")
{
    LabContext context = labContext();
    context.model = model;
    context.text = text;
    return context;
}

inline LabContext openContext(const char* name, const std::string& text = "The cat sat on the mat")
{
    return openContext(shippedModel(name), text);
}

using LabSet = std::map<std::string, std::string>;

inline LabResult runLab(std::string_view name, const LabSet& set = {},
                        const LabContext& context = labContext())
{
    const Lab& lab = catalogueLab(name);
    LabSettings settings(lab.controls);
    for (const auto& [control, value] : set)
        settings.set(control, value);
    return lab.run(settings, context, {});
}

inline double valueOf(const LabResult& result, const std::string& name)
{
    return result.number(name).value;
}

template<class Picture>
const Picture& imageIn(const LabResult& result, std::size_t panel)
{
    return std::get<Picture>(result.panels.at(panel).plot);
}

inline bool near(double a, double b, double error = 1e-6)
{
    return std::abs(a - b) <= error;
}

inline std::string whatIsThrown(const std::function<void()>& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

namespace detail {

inline bool isFinite(const std::vector<double>& values)
{
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

inline std::string flawOf(const LabChart& chart)
{
    if (chart.series.empty())
        return "no series";
    for (const auto& series : chart.series) {
        if (series.x.size() != series.y.size() || series.x.empty() || !isFinite(series.x))
            return "series " + series.name;
        if (!std::ranges::is_sorted(series.x))
            return "x falls in " + series.name;
        for (const double y : series.y)
            if (std::isinf(y) || (chart.isLogY && y <= 0.0))
                return "y of " + series.name;
    }
    return {};
}

inline std::string flawOf(const LabBars& bars)
{
    for (const auto& bar : bars.bars)
        if (!std::isfinite(bar.value))
            return "bar " + bar.label;
    return bars.bars.empty() ? "no bars" : "";
}

inline std::string flawOf(const LabMatrix& matrix)
{
    const std::size_t cells = matrix.rowLabels.size() * matrix.columnLabels.size();
    if (cells == 0 || matrix.values.size() != cells)
        return "cells of a matrix";
    if (!matrix.masked.empty() && matrix.masked.size() != cells)
        return "masked cells of a matrix";
    if (!isFinite(matrix.values))
        return "values of a matrix";
    return matrix.low < matrix.high ? "" : "colours of a matrix";
}

inline std::string flawOf(const LabTable& table)
{
    for (const auto& row : table.rows)
        if (row.size() != table.columns.size())
            return "columns of a table";
    const bool isInside = table.current < static_cast<int>(table.rows.size());
    return table.rows.empty() || !isInside ? "rows of a table" : "";
}

template<class Picture>
std::string flawOf(const Picture&)
{
    return {};
}

} // namespace detail

/// "" when everything in the result can be drawn and said; else what cannot.
inline std::string flawOf(const Lab& lab, const LabResult& result)
{
    if (result.panels.empty() || result.panels.size() > 3)
        return "number of panels";
    for (const LabPanel& panel : result.panels) {
        const std::string flaw =
            std::visit([](const auto& plot) { return detail::flawOf(plot); }, panel.plot);
        if (!flaw.empty() || panel.title.empty())
            return panel.title + ": " + flaw;
    }
    for (const LabNumber& number : result.numbers)
        if (!std::isfinite(number.value))
            return number.name;
    for (const std::string& name : references(lab.answer))
        result.number(name);
    const bool isSaid =
        result.sentence.ends_with('.') && result.sentence.find("nan") == std::string::npos;
    return isSaid ? "" : "sentence: " + result.sentence;
}

/// The same with every control at each of its ends and choices, the others as they begin; of a lab
/// that is not slow.
inline std::string flawAtAllEnds(const Lab& lab)
{
    if (lab.controls.size() < 2 || lab.controls.size() > 4)
        return lab.name + ": number of controls";
    for (const LabControl& control : lab.controls) {
        std::vector<std::string> values = control.choices;
        values.push_back(control.initial);
        if (control.kind == LabControl::Kind::Number)
            values = {fmt::format("{}", control.low), fmt::format("{}", control.high)};
        else if (control.kind == LabControl::Kind::Switch)
            values = {"on", "off"};
        for (const std::string& value : values) {
            if (lab.isSlow || value == "open")
                continue;
            LabSettings settings(lab.controls);
            settings.set(control.name, value);
            const std::string flaw = flawOf(lab, lab.run(settings, labContext(), {}));
            if (!flaw.empty())
                return lab.name + ", " + control.name + " " + value + ": " + flaw;
        }
    }
    return {};
}

} // namespace headscope::test
