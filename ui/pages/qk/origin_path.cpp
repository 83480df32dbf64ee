#include "ui/pages/qk/origin_path.h"

#include "core/base/error.h"
#include "ui/widgets/text/message_text.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <array>

namespace headscope::ui {

namespace {

constexpr int kMostStored = 4096; ///< the most operands that a session file holds
constexpr int kDeepest = 8;       ///< Nesting of numbers inside numbers

using Kind = NumberRef::Kind;

constexpr std::array<std::pair<Kind, const char*>, 13> kKinds{{
    {Kind::Activation, "activation"},
    {Kind::Parameter, "parameter"},
    {Kind::Normed, "normed"},
    {Kind::NormInput, "norm-input"},
    {Kind::Constant, "constant"},
    {Kind::Sum, "sum"},
    {Kind::Product, "product"},
    {Kind::Length, "length"},
    {Kind::Exponential, "exponential"},
    {Kind::LensLogit, "lens-logit"},
    {Kind::Probability, "probability"},
    {Kind::Contribution, "contribution"},
    {Kind::Sinusoid, "sinusoid"},
}};

int sizeOf(const NumberRef& number)
{
    int size = 1;
    for (const auto* list : {&number.parts, &number.over})
        for (const NumberRef& part : *list)
            size += sizeOf(part);
    return size;
}

QJsonArray listOf(const std::vector<NumberRef>& numbers);

QJsonObject jsonOf(const NumberRef& number)
{
    QJsonObject json{{"site", QString::fromStdString(toString(number.key))}};
    QJsonArray index;
    for (const std::int64_t value : number.index)
        index.append(static_cast<qint64>(value));
    json.insert("index", index);
    for (const auto& [kind, name] : kKinds)
        if (kind == number.kind && kind != Kind::Activation)
            json.insert("kind", QLatin1String(name));
    if (!number.name.empty())
        json.insert("name", QString::fromStdString(number.name));
    if (number.scale != 1.0)
        json.insert("scale", number.scale);
    if (!number.parts.empty())
        json.insert("parts", listOf(number.parts));
    if (!number.over.empty())
        json.insert("over", listOf(number.over));
    return json;
}

QJsonArray listOf(const std::vector<NumberRef>& numbers)
{
    QJsonArray list;
    for (const NumberRef& number : numbers)
        list.append(jsonOf(number));
    return list;
}

std::optional<NumberRef> numberFrom(const QJsonObject& json, int depth);

std::optional<std::vector<NumberRef>> numbersFrom(const QJsonValue& value, int depth)
{
    std::vector<NumberRef> numbers;
    for (const QJsonValue& each : value.toArray()) {
        auto number = numberFrom(each.toObject(), depth);
        if (!number)
            return std::nullopt;
        numbers.push_back(std::move(*number));
    }
    return numbers;
}

/// Cells that need an index of so many numbers.
bool hasIndex(const NumberRef& number)
{
    switch (number.kind) {
    case Kind::Normed:
    case Kind::NormInput:
    case Kind::LensLogit:
    case Kind::Probability:
        return number.index.size() == 2;
    case Kind::Exponential:
    case Kind::Contribution:
        return number.index.size() == 3;
    case Kind::Sinusoid:
        return number.index.size() == 3 && number.index[2] > 0;
    default:
        return true;
    }
}

std::optional<NumberRef> numberFrom(const QJsonObject& json, int depth)
{
    NumberRef number;
    const auto key = parseTraceKey(json.value("site").toString().toStdString());
    const auto parts = depth > 0 ? numbersFrom(json.value("parts"), depth - 1) : std::nullopt;
    const auto over = depth > 0 ? numbersFrom(json.value("over"), depth - 1) : std::nullopt;
    if (!key || !parts || !over)
        return std::nullopt;
    number.key = *key;
    number.parts = *parts;
    number.over = *over;
    number.name = json.value("name").toString().toStdString();
    number.scale = json.value("scale").toDouble(1.0);
    const QString wanted = json.value("kind").toString(QStringLiteral("activation"));
    for (const auto& [kind, name] : kKinds)
        if (wanted == QLatin1String(name))
            number.kind = kind;
    for (const QJsonValue& index : json.value("index").toArray())
        number.index.push_back(index.toInteger());
    return hasIndex(number) ? std::optional(std::move(number)) : std::nullopt;
}

} // namespace

QJsonObject toJson(const OriginPath& path)
{
    QJsonArray numbers;
    for (const NumberRef& number : path.numbers) {
        if (sizeOf(number) > kMostStored)
            break;
        numbers.append(jsonOf(number));
    }
    if (numbers.isEmpty())
        return {};
    QJsonObject json{{"path", numbers}};
    if (path.variant)
        json.insert("run", *path.variant == Variant::A ? "A" : "B");
    return json;
}

OriginPath originPathFrom(const QJsonObject& options)
{
    OriginPath path;
    for (const QJsonValue& step : options.value("path").toArray()) {
        auto number = numberFrom(step.toObject(), kDeepest);
        if (!number)
            return path;
        path.numbers.push_back(std::move(*number));
    }
    const QString variant = options.value("run").toString();
    if (variant == QLatin1String("A") || variant == QLatin1String("B"))
        path.variant = variant == QLatin1String("A") ? Variant::A : Variant::B;
    return path;
}

QString nameOf(const NumberRef& number)
{
    return messageText(toString(number));
}

QString shortNameOf(const NumberRef& number)
{
    QString name = nameOf(number);
    return name.remove(QStringLiteral("blocks.")).remove(QStringLiteral("hook_"));
}

Derivation derivationOf(const ViewSnapshot& view, Variant variant, const NumberRef& number)
{
    const TracePtr& trace = view.trace(variant);
    const LoadedModel& model = view.model(variant);
    if (!trace)
        throw ShapeError("there is no such run", "origin");
    if (!model.model)
        throw Error("a trace alone has no weights to trace numbers to", "origin",
                    "Open the model that made it");
    return derive(*trace, *model.model, number);
}

} // namespace headscope::ui
