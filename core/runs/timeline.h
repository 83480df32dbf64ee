#pragma once

#include "core/model/pass/tracer.h"
#include "core/train/files/run_directory.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// One snapshot of all weights of a run.
struct Moment
{
    std::int64_t step = 0;
    std::uint64_t bytes = 0; ///< on disk, the optimizer's state included
    bool isPinned = false;
    bool isExact = false; ///< the optimizer's state is there: a run goes on from here bit for bit

    friend bool operator==(const Moment&, const Moment&) = default;
};

/// The snapshots in a run's directory: ordinary checkpoints, so the path of each opens as a model.
/// Any number of processes may read while one writes; refresh() looks again. Not thread-safe: use
/// one a thread.
class Timeline
{
public:
    /// Throws FormatError when `run` is no run's directory.
    explicit Timeline(const std::filesystem::path& run);

    void refresh();

    const std::filesystem::path& run() const { return m_directory.path(); }

    const std::vector<Moment>& moments() const { return m_moments; } ///< by step

    std::uint64_t bytes() const; ///< of all moments

    /// The newest moment at or before `step`, or null.
    const Moment* at(std::int64_t step) const;

    std::filesystem::path path(std::int64_t step) const; ///< what --model takes

    /// The weights of exactly that step. Throws FormatError for a snapshot that is gone or damaged.
    std::shared_ptr<const Model> load(std::int64_t step) const;

    /// A pinned snapshot is never thinned. Kept in timeline.json, which a running training reads
    /// before it thins. Throws Error when there is no such snapshot.
    void setPinned(std::int64_t step, bool pinned);

    struct Keep
    {
        std::uint64_t budget = 0; ///< bytes
        std::int64_t every = 0;   ///< steps that the configuration asked for; 0: none
    };

    /// Removes files until the timeline fits: first optimizer states, then snapshots, always the
    /// one whose neighbours stand nearest to each other; powers of two, the dense beginning, last.
    /// Kept in any case: step 0, the newest snapshot, the newest optimizer state with its snapshot,
    /// pinned snapshots with their states, and snapshots of multiples of `keep.every`.
    void thin(const Keep& keep);

private:
    void removeWeights(std::size_t index);
    void removeState(Moment& moment);
    bool isProtected(std::size_t index, const Keep& keep) const;

    RunDirectory m_directory;
    std::vector<Moment> m_moments;
};

/// When a snapshot is due: steps 0, 1, 2, 4, 8, ... up to `every`, then each multiple of `every`.
bool isSnapshotDue(std::int64_t step, std::int64_t every);

} // namespace headscope
