#pragma once

#include "core/runs/run_lock.h"
#include "core/runs/timeline.h"
#include "core/train/files/run_directory.h"

#include <map>
#include <string>

namespace headscope {

/// The directory of a run while it is written: the lock, lines that grow, snapshots that are
/// thinned. What could not be written for lack of space stays queued for the next try.
class RunStore
{
public:
    RunStore(RunDirectory directory, RunLock lock, const Timeline::Keep& keep);

    const RunDirectory& directory() const { return m_directory; }

    const Timeline& timeline() const { return m_timeline; }

    Timeline& timeline() { return m_timeline; }

    /// Queues a line of a file of the run: "log.jsonl".
    void add(const std::string& file, const std::string& line);
    void flush(); ///< throws Error; nothing is lost then

    /// A snapshot with the optimizer's state; older ones make room for it first. Throws Error.
    void save(const ModelConfig& model, const TrainingState& state, std::uint64_t seed,
              const std::map<std::string, std::string>& metadata);

    bool hasExact(std::int64_t step) const;

    /// Drops what a run that died wrote after `step`: lines, snapshots, unfinished files. Settings
    /// that were changed later stay, since a resumed run changes them again.
    void cutAfter(std::int64_t step);

private:
    RunDirectory m_directory;
    RunLock m_lock;
    Timeline::Keep m_keep;
    Timeline m_timeline;
    std::map<std::string, std::string> m_queue; ///< by file
};

} // namespace headscope
