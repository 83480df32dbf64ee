#include "core/runs/head_curves.h"

#include "core/analysis/scores/undefined.h"
#include "core/base/json_text.h"
#include "core/runs/json_lines.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

bool readPlaces(const nlohmann::json& object, HeadScorePoint& point)
{
    const auto places = object.find("places");
    if (places == object.end() || !places->is_array())
        return false;
    for (const nlohmann::json& text : *places) {
        const auto place = text.is_string() ? parseHeadId(text.get<std::string>()) : std::nullopt;
        if (!place)
            return false;
        point.places.push_back(*place);
    }
    return true;
}

void readExperts(const nlohmann::json& object, HeadScorePoint& point)
{
    const auto layers = object.find("expert_loads");
    if (layers == object.end() || !layers->is_object())
        return;
    for (const auto& [layer, loads] : layers->items()) {
        ExpertLoads& read = point.experts.emplace_back(ExpertLoads{layer, {}});
        for (const nlohmann::json& load : loads)
            read.fractions.push_back(load.is_number() ? load.get<double>() : kUndefined);
    }
}

} // namespace

const std::vector<std::string>& headScoreNames()
{
    static const std::vector<std::string> names = {
        "previous_token", "induction", "duplicate_token", "first_token",
        "self",           "entropy",   "diagonal",        "antidiagonal"};
    return names;
}

double HeadScorePoint::value(const std::string& name, const HeadId& place) const
{
    const auto row = std::ranges::find(rows, name, &HeadScoreRow::name);
    const auto at = std::ranges::find(places, place);
    if (row == rows.end() || at == places.end())
        return kUndefined;
    return row->values[static_cast<std::size_t>(at - places.begin())];
}

HeadCurves HeadCurves::read(const std::filesystem::path& run)
{
    HeadCurves curves;
    for (const nlohmann::json& object : readJsonLines(run / "scores.jsonl")) {
        if (auto point = headScorePoint(object))
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

std::vector<HeadId> HeadCurves::places() const
{
    return m_points.empty() ? std::vector<HeadId>() : m_points.back().places;
}

std::vector<std::int64_t> HeadCurves::steps() const
{
    std::vector<std::int64_t> steps;
    for (const HeadScorePoint& point : m_points)
        steps.push_back(point.step);
    return steps;
}

std::vector<double> HeadCurves::curve(const std::string& name, const HeadId& place) const
{
    std::vector<double> values;
    for (const HeadScorePoint& point : m_points)
        values.push_back(point.value(name, place));
    return values;
}

std::optional<HeadScorePoint> headScorePoint(const nlohmann::json& object)
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
            row.values.push_back(value.is_number() ? value.get<double>() : kUndefined);
    }
    readExperts(object, point);
    return point;
}

std::string toJsonLine(const HeadScorePoint& point)
{
    nlohmann::ordered_json line;
    line["step"] = point.step;
    for (const HeadId& place : point.places)
        line["places"].push_back(toString(place));
    for (const HeadScoreRow& row : point.rows) {
        for (const double value : row.values)
            line[row.name].push_back(std::isfinite(value) ? nlohmann::ordered_json(value)
                                                          : nlohmann::ordered_json());
    }
    for (const ExpertLoads& loads : point.experts)
        line["expert_loads"][loads.layer] = loads.fractions;
    return line.dump();
}

} // namespace headscope
