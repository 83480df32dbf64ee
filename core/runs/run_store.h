#pragma once

#include "core/runs/run_lock.h"
#include "core/runs/timeline.h"
#include "core/train/files/run_directory.h"

#include <map>
#include <string>

namespace headscope {

/// The directory of a training run that is being written: lock, log lines, thinned snapshots. What
/// could not be written for lack of space stays queued for the next attempt.
class RunStore
{
public:
    RunStore(RunDirectory directory, RunLock lock, const Timeline::Keep& keep);

    const RunDirectory& directory() const { return m_directory; }

    const Timeline& timeline() const { return m_timeline; }

    Timeline& timeline() { return m_timeline; }

    /// Queues a line for a file of the run, for example "log.jsonl".
    void add(const std::string& file, const std::string& line);
    void flush(); ///< Throws Error; nothing is lost then.

    /// Saves a snapshot with the optimizer state; older ones are removed first to make room. Throws
    /// Error.
    void save(const ModelConfig& model, const TrainingState& state, std::uint64_t seed,
              const std::map<std::string, std::string>& metadata);

    bool hasExact(std::int64_t step) const;

    /// Removes what an interrupted run wrote after `step`: lines, snapshots, unfinished files.
    /// Later changes of settings stay, since a resumed run repeats them.
    void cutAfter(std::int64_t step);

private:
    RunDirectory m_directory;
    RunLock m_lock;
    Timeline::Keep m_keep;
    Timeline m_timeline;
    std::map<std::string, std::string> m_queue; ///< Queued lines by file.
};

} // namespace headscope
