#pragma once

#include "core/model/model.h"
#include "core/train/data/prepared_data.h"

#include <filesystem>
#include <memory>
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

/// Measures heads on texts that stay the same throughout a run (definitions: metrics).
/// On two held-out rows of the task: previous_token, first_token, self; on the first of them the
/// entropy (normalised, 0 to 1).
/// Causal models, on random tokens shown twice, none of them twice within a copy: induction and
/// duplicate_token, the stripes over the second copy. Cross-attention: entropy, diagonal (target
/// symbol i on source symbol i) and antidiagonal (on source symbol n - 1 - i).
class HeadProbe
{
public:
    /// The texts are taken once. `seed` draws the random tokens.
    HeadProbe(const PreparedData& data, std::uint64_t seed = 20'000'001);
    ~HeadProbe();
    HeadProbe(HeadProbe&&) noexcept;
    HeadProbe& operator=(HeadProbe&&) noexcept;

    HeadScorePoint measure(const Model& model, std::int64_t step, AttentionBackend& backend) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
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
