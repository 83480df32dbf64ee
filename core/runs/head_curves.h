#pragma once

#include "core/model/model.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope {

/// "previous_token", "induction", ...: all that HeadProbe may measure, in a fixed order.
const std::vector<std::string>& headScoreNames();

/// One score of every head at one step.
struct HeadScoreRow
{
    std::string name;           ///< "induction", as in HeadCurves::names()
    std::vector<double> values; ///< by the order of HeadScorePoint::places; NaN: not defined
};

/// The scores of all heads at one step.
struct HeadScorePoint
{
    std::int64_t step = 0;
    std::vector<HeadId> places;
    std::vector<HeadScoreRow> rows;

    /// NaN where there is no such score or head.
    double value(const std::string& name, const HeadId& place) const;
};

/// The scores of a run by step, from scores.jsonl or as they come. Points are in order of step.
class HeadCurves
{
public:
    /// Empty when the run measured none. Skips a last line that is being written.
    static HeadCurves read(const std::filesystem::path& run);

    void add(HeadScorePoint point); ///< drops points of this step and later ones first

    const std::vector<HeadScorePoint>& points() const { return m_points; }

    std::vector<std::string> names() const; ///< in a fixed order
    std::vector<HeadId> places() const;
    std::vector<std::int64_t> steps() const;

    /// One value a point.
    std::vector<double> curve(const std::string& name, const HeadId& place) const;

private:
    std::vector<HeadScorePoint> m_points;
};

std::string toJsonLine(const HeadScorePoint& point);

} // namespace headscope
