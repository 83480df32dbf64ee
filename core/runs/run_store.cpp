#include "core/runs/run_store.h"

#include "core/runs/json_lines.h"
#include "core/runs/run_event.h"

#include <algorithm>

namespace headscope {

namespace {

namespace fs = std::filesystem;

/// Removes what an interrupted writeAtomically leaves behind.
void removeUnfinished(const fs::path& folder)
{
    std::error_code error;
    std::vector<fs::path> unfinished;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with(".headscope-") && name.ends_with(".tmp"))
            unfinished.push_back(it->path());
    }
    for (const fs::path& path : unfinished)
        fs::remove(path, error);
}

} // namespace

RunStore::RunStore(RunDirectory directory, RunLock lock, const Timeline::Keep& keep)
    : m_directory(std::move(directory))
    , m_lock(std::move(lock))
    , m_keep(keep)
    , m_timeline(m_directory.path())
{
}

void RunStore::add(const std::string& file, const std::string& line)
{
    m_queue[file] += line + "\n";
}

void RunStore::flush()
{
    for (auto& [file, lines] : m_queue) {
        if (lines.empty())
            continue;
        appendLines(m_directory.path() / file, lines);
        lines.clear();
    }
}

void RunStore::save(const ModelConfig& model, const TrainingState& state, std::uint64_t seed,
                    const std::map<std::string, std::string>& metadata)
{
    const auto& snapshots = m_timeline.snapshots();
    const auto largest = std::ranges::max_element(snapshots, {}, &SnapshotRecord::bytes);
    const std::uint64_t needed = largest == snapshots.end() ? 0 : largest->bytes;
    m_timeline.thin({m_keep.budget - std::min(m_keep.budget, needed), m_keep.every});
    m_directory.save(model, state, seed, metadata);
    m_timeline.thin(m_keep);
}

bool RunStore::hasExact(std::int64_t step) const
{
    const SnapshotRecord* const snapshot = m_timeline.at(step);
    return snapshot != nullptr && snapshot->step == step && snapshot->isExact;
}

void RunStore::cutAfter(std::int64_t step)
{
    const fs::path& run = m_directory.path();
    const auto isBefore = [step](const nlohmann::json& line) {
        return stepOf(line) >= 0 && stepOf(line) <= step;
    };
    keepJsonLines(run / "log.jsonl", isBefore);
    keepJsonLines(run / "scores.jsonl", isBefore);
    keepJsonLines(run / "events.jsonl", [&](const nlohmann::json& line) {
        return isBefore(line) ||
               (line.contains("event") && line["event"] == nameOf(RunEvent::Kind::SettingsChanged));
    });
    std::error_code ignored;
    for (const std::int64_t later : m_directory.optimizerSteps()) {
        if (later > step)
            fs::remove(m_directory.optimizerPath(later), ignored);
    }
    for (const std::int64_t later : m_directory.checkpointSteps()) {
        if (later > step)
            fs::remove(m_directory.checkpointPath(later), ignored);
    }
    removeUnfinished(run);
    removeUnfinished(run / "checkpoints");
    m_timeline.refresh();
}

} // namespace headscope
