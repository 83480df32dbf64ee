#pragma once

#include "core/runs/head_curves.h"
#include "core/runs/head_probe.h"
#include "core/runs/series/checkpoint_series.h"

#include <map>
#include <string>

namespace headscope {

/// Scores of a series' heads in a file of JSON lines, as scores.jsonl of a run, so that no
/// checkpoint is measured twice. The series itself is not written to.
class SeriesScores
{
public:
    /// `folder` is created when the first score is added. A checkpoint that was replaced since, or
    /// measured on other texts, counts as not measured.
    SeriesScores(const std::filesystem::path& folder, const CheckpointSeries& series,
                 const HeadProbe& probe);

    /// Name of the file for a series, whether or not it exists.
    static std::filesystem::path fileOf(const std::filesystem::path& folder,
                                        const std::filesystem::path& series);

    HeadCurves curves() const; ///< All measured points.

    /// The point of a checkpoint, if it was measured.
    const HeadScorePoint* find(std::int64_t step) const;

    /// Appends a measured point. Throws Error when it cannot be written.
    void add(const HeadScorePoint& point);

private:
    std::string stampOf(const SeriesCheckpoint& checkpoint) const;

    std::filesystem::path m_file;
    std::uint64_t m_probe = 0;
    std::map<std::int64_t, std::string> m_stamps; ///< Of the checkpoints as they are now.
    std::map<std::int64_t, HeadScorePoint> m_points;
};

} // namespace headscope
