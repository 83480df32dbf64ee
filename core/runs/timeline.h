#pragma once

#include "core/model/pass/tracer.h"
#include "core/train/files/run_directory.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// One snapshot of all weights of a training run.
struct SnapshotRecord
{
    std::int64_t step = 0;
    std::uint64_t bytes = 0; ///< Size on disk, including the optimizer state.
    bool isPinned = false;
    bool isExact = false; ///< True with the optimizer state: a run resumes from here bit for bit.

    friend bool operator==(const SnapshotRecord&, const SnapshotRecord&) = default;
};

/// The snapshots in a run's directory: ordinary checkpoints, so the path of each opens as a model.
/// Any number of processes may read while one writes; refresh() reads again. Not thread-safe: use
/// one per thread.
class Timeline
{
public:
    /// Throws FormatError if `run` is not the directory of a training run.
    explicit Timeline(const std::filesystem::path& run);

    void refresh();

    const std::filesystem::path& run() const { return m_directory.path(); }

    const std::vector<SnapshotRecord>& snapshots() const
    {
        return m_snapshots;
    } ///< Ordered by step.

    std::uint64_t bytes() const; ///< Size of all snapshots.

    /// The newest snapshot at or before `step`, or null.
    const SnapshotRecord* at(std::int64_t step) const;

    std::filesystem::path path(std::int64_t step) const; ///< Path for --model.

    /// The weights of exactly that step. Throws FormatError for a snapshot that is missing or
    /// damaged.
    std::shared_ptr<const Model> load(std::int64_t step) const;

    /// A pinned snapshot is never thinned out. Stored in timeline.json, which a training run in
    /// progress reads before it thins. Throws Error if there is no such snapshot.
    void setPinned(std::int64_t step, bool pinned);

    struct Keep
    {
        std::uint64_t budget = 0; ///< Bytes.
        std::int64_t every = 0;   ///< Configured interval in steps; 0: none.
    };

    /// Removes files until the timeline fits: first optimizer states, then snapshots, always the
    /// one whose neighbours are nearest to each other; powers of two, the dense beginning, last.
    /// Always kept: step 0, the newest snapshot, the newest optimizer state with its snapshot,
    /// pinned snapshots with their states, and snapshots of multiples of `keep.every`.
    void thin(const Keep& keep);

private:
    void removeWeights(std::size_t index);
    void removeState(SnapshotRecord& snapshot);
    bool isProtected(std::size_t index, const Keep& keep) const;

    RunDirectory m_directory;
    std::vector<SnapshotRecord> m_snapshots;
};

/// True at steps 0, 1, 2, 4, 8, ... up to `every`, then each multiple of `every`.
bool isSnapshotDue(std::int64_t step, std::int64_t every);

} // namespace headscope
