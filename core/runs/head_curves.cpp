#include "core/runs/head_curves.h"

#include "core/base/json_text.h"
#include "core/runs/json_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace headscope {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kKinds[] = {"", "encoder ", "decoder ", "cross "};

std::string_view kindOf(const HeadPlace& place)
{
    return kKinds[place.isCross ? 3 : static_cast<std::size_t>(place.stack)];
}

/// Reads digits from the front of `text`.
std::optional<int> takeNumber(std::string_view& text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<HeadPlace> parsePlace(std::string_view text)
{
    HeadPlace place;
    for (std::size_t kind = 1; kind < std::size(kKinds); ++kind) {
        if (!text.starts_with(kKinds[kind]))
            continue;
        text.remove_prefix(kKinds[kind].size());
        place.isCross = kind == 3;
        place.stack = kind == 1 ? Stack::Encoder : Stack::Decoder;
    }
    if (!text.starts_with("L"))
        return std::nullopt;
    text.remove_prefix(1);
    const std::optional<int> layer = takeNumber(text);
    if (!layer || !text.starts_with("H"))
        return std::nullopt;
    text.remove_prefix(1);
    const std::optional<int> head = takeNumber(text);
    if (!head || !text.empty())
        return std::nullopt;
    place.layer = *layer;
    place.head = *head;
    return place;
}

bool readPlaces(const nlohmann::json& object, HeadScorePoint& point)
{
    const auto places = object.find("places");
    if (places == object.end() || !places->is_array())
        return false;
    for (const nlohmann::json& text : *places) {
        const auto place = text.is_string() ? parsePlace(text.get<std::string>()) : std::nullopt;
        if (!place)
            return false;
        point.places.push_back(*place);
    }
    return true;
}

std::optional<HeadScorePoint> pointOf(const nlohmann::json& object)
{
    HeadScorePoint point;
    point.step = stepOf(object);
    if (point.step < 0 || !readPlaces(object, point))
        return std::nullopt;
    for (const std::string& name : headScoreNames()) {
        const auto values = object.find(name);
        if (values == object.end() || !values->is_array() || values->size() != point.places.size())
            continue;
        HeadScoreRow& row = point.rows.emplace_back(HeadScoreRow{name, {}});
        for (const nlohmann::json& value : *values)
            row.values.push_back(value.is_number() ? value.get<double>() : kNone);
    }
    return point;
}

} // namespace

const std::vector<std::string>& headScoreNames()
{
    static const std::vector<std::string> names = {
        "previous_token", "induction", "duplicate_token", "first_token",
        "self",           "entropy",   "diagonal",        "antidiagonal"};
    return names;
}

std::string toString(const HeadPlace& place)
{
    return fmt::format("{}L{}H{}", kindOf(place), place.layer, place.head);
}

double HeadScorePoint::value(const std::string& name, const HeadPlace& place) const
{
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const HeadScoreRow& some) { return some.name == name; });
    const auto at = std::find(places.begin(), places.end(), place);
    if (row == rows.end() || at == places.end())
        return kNone;
    return row->values[static_cast<std::size_t>(at - places.begin())];
}

HeadCurves HeadCurves::read(const std::filesystem::path& run)
{
    HeadCurves curves;
    for (const nlohmann::json& object : readJsonLines(run / "scores.jsonl")) {
        if (auto point = pointOf(object))
            curves.add(std::move(*point));
    }
    return curves;
}

void HeadCurves::add(HeadScorePoint point)
{
    while (!m_points.empty() && m_points.back().step >= point.step)
        m_points.pop_back();
    m_points.push_back(std::move(point));
}

std::vector<std::string> HeadCurves::names() const
{
    std::vector<std::string> names;
    if (!m_points.empty()) {
        for (const HeadScoreRow& row : m_points.back().rows)
            names.push_back(row.name);
    }
    return names;
}

std::vector<HeadPlace> HeadCurves::places() const
{
    return m_points.empty() ? std::vector<HeadPlace>() : m_points.back().places;
}

std::vector<std::int64_t> HeadCurves::steps() const
{
    std::vector<std::int64_t> steps;
    for (const HeadScorePoint& point : m_points)
        steps.push_back(point.step);
    return steps;
}

std::vector<double> HeadCurves::curve(const std::string& name, const HeadPlace& place) const
{
    std::vector<double> values;
    for (const HeadScorePoint& point : m_points)
        values.push_back(point.value(name, place));
    return values;
}

std::string toJsonLine(const HeadScorePoint& point)
{
    nlohmann::ordered_json line;
    line["step"] = point.step;
    for (const HeadPlace& place : point.places)
        line["places"].push_back(toString(place));
    for (const HeadScoreRow& row : point.rows) {
        for (const double value : row.values)
            line[row.name].push_back(std::isfinite(value) ? nlohmann::ordered_json(value)
                                                          : nlohmann::ordered_json());
    }
    return line.dump();
}

} // namespace headscope
