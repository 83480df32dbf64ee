#pragma once

#include "core/model/model.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Names "previous_token", "induction", ...: all that HeadProbe may measure, in a fixed order.
const std::vector<std::string>& headScoreNames();

/// One score of every head at one step.
struct HeadScoreRow
{
    std::string name;           ///< For example "induction", as in HeadCurves::names().
    std::vector<double> values; ///< In the order of HeadScorePoint::places; NaN: not defined.
};

/// Load of the experts of one layer.
struct ExpertLoads
{
    std::string layer;             ///< "h.0", "enc.1", as in GradientNorm.
    std::vector<double> fractions; ///< Fraction of all choices by expert; they sum to 1.
};

/// The scores of all heads at one step.
struct HeadScorePoint
{
    std::int64_t step = 0;
    std::vector<HeadId> places;
    std::vector<HeadScoreRow> rows;
    std::vector<ExpertLoads> experts = {}; ///< Empty unless the model has experts.

    /// NaN if there is no such score or head.
    double value(const std::string& name, const HeadId& place) const;
};

/// The scores of a training run by step, from scores.jsonl or as they arrive. Points are in order
/// of step.
class HeadCurves
{
public:
    /// Empty if the run measured none. Skips a last line that is still being written.
    static HeadCurves read(const std::filesystem::path& run);

    void add(HeadScorePoint point); ///< Drops points of this step and later ones first.

    const std::vector<HeadScorePoint>& points() const { return m_points; }

    std::vector<std::string> names() const; ///< In a fixed order.
    std::vector<HeadId> places() const;
    std::vector<std::int64_t> steps() const;

    /// One value per point.
    std::vector<double> curve(const std::string& name, const HeadId& place) const;

private:
    std::vector<HeadScorePoint> m_points;
};

std::string toJsonLine(const HeadScorePoint& point);

/// Reads such a line; none if it is damaged.
std::optional<HeadScorePoint> headScorePoint(const nlohmann::json& line);

} // namespace headscope
