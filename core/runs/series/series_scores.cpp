#include "core/runs/series/series_scores.h"

#include "core/base/json_text.h"
#include "core/runs/json_lines.h"

#include <fmt/format.h>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStamp = "checkpoint";

std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

} // namespace

SeriesScores::SeriesScores(const fs::path& folder, const CheckpointSeries& series,
                           const HeadProbe& probe)
    : m_file(fileOf(folder, series.path()))
    , m_probe(probe.fingerprint())
{
    for (const SeriesCheckpoint& checkpoint : series.checkpoints())
        m_stamps[checkpoint.step] = stampOf(checkpoint);
    for (const nlohmann::json& line : readJsonLines(m_file)) {
        const auto stamp = m_stamps.find(stepOf(line));
        if (stamp == m_stamps.end() || !line.contains(kStamp) || line[kStamp] != stamp->second)
            continue;
        if (auto point = headScorePoint(line))
            m_points[point->step] = std::move(*point);
    }
}

fs::path SeriesScores::fileOf(const fs::path& folder, const fs::path& series)
{
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(series, error);
    return folder / fmt::format("{:016x}.jsonl", hashOf((error ? series : whole).string()));
}

HeadCurves SeriesScores::curves() const
{
    HeadCurves curves;
    for (const auto& [step, point] : m_points)
        curves.add(point);
    return curves;
}

/// Path, size and time of the checkpoint, and the texts that it is measured on.
std::string SeriesScores::stampOf(const SeriesCheckpoint& checkpoint) const
{
    std::error_code error;
    const fs::path weights = checkpoint.path / "model.safetensors"; // in a folder
    const auto time =
        fs::last_write_time(fs::exists(weights, error) ? weights : checkpoint.path, error);
    return fmt::format("{} {} {} {:016x}", checkpoint.path.string(), checkpoint.bytes,
                       error ? 0 : time.time_since_epoch().count(), m_probe);
}

const HeadScorePoint* SeriesScores::find(std::int64_t step) const
{
    const auto found = m_points.find(step);
    return found == m_points.end() ? nullptr : &found->second;
}

void SeriesScores::add(const HeadScorePoint& point)
{
    std::error_code ignored; // the write says what is wrong
    fs::create_directories(m_file.parent_path(), ignored);
    nlohmann::json line = nlohmann::json::parse(toJsonLine(point));
    line[kStamp] = m_stamps[point.step];
    appendLines(m_file, dumpJson(line) + "\n");
    m_points[point.step] = point;
}

} // namespace headscope
