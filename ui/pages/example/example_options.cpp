#include "ui/pages/example/example_options.h"

#include "core/base/error.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/head_example.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headscope::ui {

namespace {

constexpr double kMostSteps = 1e7;
constexpr int kMost = 6; // Limit on keys and head dimensions; larger is unreadable.

/// Shortest text that parses back to the same number.
std::string written(double value)
{
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

HeadExampleChoice activeHead(const ViewSnapshot& view)
{
    const Selection& selection = view.selection;
    HeadExampleChoice choice;
    choice.keys = kMost;
    choice.dimensions = kMost;
    choice.cell = {selection.layer,
                   selection.head,
                   std::max(pairOf(view).query, 0),
                   0,
                   stackOf(selection.part),
                   selection.part == AttentionKind::Cross};
    return choice;
}

} // namespace

QJsonObject ExampleOptions::json() const
{
    QJsonObject settings;
    for (const auto& [name, value] : set)
        settings.insert(QString::fromStdString(name), QString::fromStdString(value));
    return {{"example", example},
            {"set", settings},
            {"done", static_cast<double>(done)},
            {"exact", isExact},
            {"trying", isTrying}};
}

ExampleOptions ExampleOptions::from(const QJsonObject& options)
{
    ExampleOptions read;
    read.example = options.value("example").toString(read.example);
    const QJsonObject settings = options.value("set").toObject();
    for (auto entry = settings.begin(); entry != settings.end(); ++entry)
        if (entry.value().isString())
            read.set[entry.key().toStdString()] = entry.value().toString().toStdString();
    const double done = options.value("done").toDouble(0.0);
    read.done = done > 0.0 ? static_cast<std::size_t>(std::min(done, kMostSteps)) : 0;
    read.isExact = options.value("exact").toBool(false);
    read.isTrying = options.value("trying").toBool(false);
    return read;
}

std::map<std::string, std::string> exampleSettings(const ExampleInputs& first,
                                                   const ExampleInputs& inputs)
{
    std::map<std::string, std::string> settings;
    for (std::size_t i = 0; i < std::min(first.matrices.size(), inputs.matrices.size()); ++i) {
        const ExampleInputs::Matrix& matrix = inputs.matrices[i];
        const std::size_t columns = std::max<std::size_t>(matrix.columnLabels.size(), 1);
        for (std::size_t at = 0; at < matrix.values.size(); ++at)
            if (at >= first.matrices[i].values.size() ||
                matrix.values[at] != first.matrices[i].values[at])
                settings[matrix.name + "[" + std::to_string(at / columns) + "," +
                         std::to_string(at % columns) + "]"] = written(matrix.values[at]);
    }
    for (const ExampleInputs::Switch& each : inputs.switches)
        if (each.on != first.isOn(each.name))
            settings[each.name] = each.on ? "on" : "off";
    return settings;
}

ExampleInputs firstInputs(const QString& example, const ViewSnapshot& view)
{
    if (example != QLatin1String(kYourSentence))
        return exampleInputs(example.toStdString());
    const Variant variant = view.shown == Variant::A ? Variant::A : Variant::B;
    const TracePtr& trace = view.trace(variant);
    const LoadedModel& model = view.model(variant);
    if (!trace || !model.model)
        throw Error(tr("there is no head to work through yet").toStdString(), {},
                    tr("Open a model and type a sentence").toStdString());
    return headExample(*trace, *model.model, activeHead(view));
}

ExampleState stateOf(const ExampleOptions& options, const ViewSnapshot& view)
{
    ExampleState state;
    state.inputs = firstInputs(options.example, view);
    for (const auto& [name, value] : options.set) {
        try {
            state.inputs.set(name, value);
        } catch (const Error&) { // Saved by another version, or for another sentence.
            continue;
        }
    }
    state.example = workExample(state.inputs);
    state.done = std::min(options.done, state.example.steps.size());
    return state;
}

} // namespace headscope::ui
