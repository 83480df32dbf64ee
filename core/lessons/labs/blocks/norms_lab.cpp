#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/norm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kMostValues = 12;
constexpr double kLargestValue = 1e6;

struct NamedNorm
{
    const char* name;
    NormKind kind;
};

constexpr std::array<NamedNorm, 3> kNorms{
    {{"layer", NormKind::Layer}, {"rms", NormKind::Rms}, {"std_eps", NormKind::StdEps}}};

float readValue(const std::string& word)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
        throw Error(inQuotes(word) + " is not a number", "Values", "Type numbers such as 1 2.5 -3");
    if (std::abs(value) > kLargestValue)
        throw Error(word + " is out of range", "Values",
                    fmt::format("Choose values from {} to {}", -kLargestValue, kLargestValue));
    return static_cast<float>(value);
}

Tensor valuesOf(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return c == ',' || c == ';' || c == '\n'; }, ' ');
    std::vector<float> values;
    for (std::size_t at = 0; at < text.size() && values.size() <= kMostValues;) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at)
            values.push_back(readValue(text.substr(at, end - at)));
        at = end + 1;
    }
    if (values.size() < 2 || values.size() > kMostValues)
        throw Error("a norm needs at least two numbers", "Values",
                    fmt::format("Type 2 to {} numbers", kMostValues));
    Tensor row(Shape{1, static_cast<std::int64_t>(values.size())});
    std::ranges::copy(values, row.values().begin());
    return row;
}

struct Spread
{
    double mean = 0.0;
    double deviation = 0.0; ///< Standard deviation with divisor d.
    double rms = 0.0;
};

Spread spreadOf(std::span<const float> values)
{
    Spread spread;
    const auto count = static_cast<double>(values.size());
    for (const float value : values)
        spread.mean += static_cast<double>(value) / count;
    for (const float value : values) {
        const auto x = static_cast<double>(value);
        spread.deviation += (x - spread.mean) * (x - spread.mean) / count;
        spread.rms += x * x / count;
    }
    spread.deviation = std::sqrt(spread.deviation);
    spread.rms = std::sqrt(spread.rms);
    return spread;
}

Tensor normed(NormKind kind, double epsilon, TensorView x)
{
    Tensor gamma(Shape{x.shape[1]});
    std::ranges::fill(gamma.values(), 1.0F);
    Tensor y(x.shape);
    norm({kind, static_cast<float>(epsilon), gamma.view(), {}}, x, y.view());
    return y;
}

std::vector<std::string> spreadRow(const std::string& name, const Spread& spread)
{
    return {message(name), fmt::format("{:.4f}", spread.mean + 0.0),
            fmt::format("{:.4f}", spread.deviation), fmt::format("{:.4f}", spread.rms)};
}

LabMatrix sideBySide(const std::vector<Tensor>& results, const LabControl& norms)
{
    const std::int64_t columns = results.front().shape()[1];
    Tensor rows(Shape{static_cast<std::int64_t>(results.size()), columns});
    for (std::size_t i = 0; i < results.size(); ++i)
        std::ranges::copy(results[i].values(), &rows.view()(i, 0));
    LabMatrix matrix = matrixOf("norm", "channel", rows.view(), true);
    for (std::size_t i = 0; i < kNorms.size(); ++i)
        matrix.rowLabels[i] = norms.titleOf(kNorms[i].name);
    return matrix;
}

} // namespace

LabResult runNorms(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const Tensor x = valuesOf(settings.text("values"));
    const Spread before = spreadOf(x.values());
    LabTable table{{"vector", "mean", "standard deviation", "root mean square"}};
    table.rows.push_back(spreadRow("before", before));
    std::vector<Tensor> results;
    LabResult result;
    result.numbers = {{"mean", "Mean before", before.mean},
                      {"std", "Std before", before.deviation},
                      {"rms", "RMS before", before.rms}};
    const LabControl& norms = settings.control("kind");
    const NamedNorm& shown = chosenEntry(kNorms, settings, "kind");
    const auto chosen = static_cast<std::size_t>(&shown - kNorms.data());
    for (const NamedNorm& one : kNorms) {
        const std::string& title = norms.titleOf(one.name);
        results.push_back(normed(one.kind, settings.number("epsilon"), x.view()));
        const Spread after = spreadOf(results.back().values());
        table.rows.push_back(spreadRow(title, after));
        const std::string name = one.name;
        result.numbers.push_back({name + "_mean", fmt::format("Mean, {}", title), after.mean});
        result.numbers.push_back({name + "_std", fmt::format("Std, {}", title), after.deviation});
        result.numbers.push_back({name + "_rms", fmt::format("RMS, {}", title), after.rms});
        for (std::size_t at = 0; at < x.size(); ++at)
            result.numbers.push_back({fmt::format("{}_{}", name, at),
                                      fmt::format("Channel {}, {}", at, title),
                                      static_cast<double>(results.back().data()[at])});
    }
    table.current = static_cast<int>(chosen) + 1;
    LabBars bars;
    for (std::size_t at = 0; at < x.size(); ++at)
        bars.bars.push_back({message(fmt::format("channel {}", at)),
                             static_cast<double>(results[chosen].data()[at])});
    const Spread after = spreadOf(results[chosen].values());
    result.sentence = fmt::format(
        "Before, the mean is {:.2f} and the root mean square {:.2f}; after {} they are {:.2f} and "
        "{:.2f}.",
        before.mean, before.rms, norms.titleOf(shown.name), after.mean + 0.0, after.rms);
    result.panels = {{"All three norms", "Scale 1, no shift", sideBySide(results, norms)},
                     {norms.titleOf(shown.name), "Output", std::move(bars)},
                     {"Mean, standard deviation and root mean square", {}, std::move(table)}};
    return result;
}

} // namespace headscope
