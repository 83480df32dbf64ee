#pragma once

#include "core/runs/run_card.h"
#include "core/runs/run_curves.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Summary of a training run on disk.
struct RunSummary
{
    enum class State {
        Running,  ///< Another process, or this one, is writing it.
        Finished, ///< All steps are done.
        Stopped,  ///< Can be resumed.
        Diverged,
        Damaged, ///< The reason is in `problem`.
        Series,  ///< Checkpoints of another program (CheckpointSeries); only read.
    };

    std::filesystem::path path;
    std::string name; ///< Name of the folder.
    State state = State::Damaged;
    std::string problem = {}; ///< One sentence.
    nlohmann::json config = nlohmann::json::object();
    std::uint64_t seed = 0;
    std::string device = {};
    /// For example "2026-11-21T20:15:02Z"; empty for runs of older versions.
    std::string started = {};
    std::int64_t step = 0;  ///< Step of the last line of the log or the newest snapshot.
    std::int64_t steps = 0; ///< Configured number of steps.
    std::optional<double> loss;
    std::optional<double> validationLoss;
    std::optional<double> validationAccuracy;
    std::optional<RunOrigin> origin;
    std::string notes = {};
};

std::string nameOf(RunSummary::State state); ///< Name of a state: "running", "finished", ...

/// One key in which two configurations differ; "" where a side lacks it.
struct ConfigDifference
{
    std::string key; ///< For example "optimizer.lr".
    std::string first;
    std::string second;
};

/// Differences by key, in alphabetical order; equal keys are left out.
std::vector<ConfigDifference> compareConfigs(const nlohmann::json& first,
                                             const nlohmann::json& second);

/// The training runs in the subfolders of one folder. Every call reads the disk again, so runs of
/// other processes appear.
class RunLibrary
{
public:
    explicit RunLibrary(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    const std::filesystem::path& folder() const { return m_folder; }

    /// Sorted by name; folders without a training run or a series of checkpoints are left out,
    /// damaged runs are listed as such. A folder that is a series itself is listed alone.
    std::vector<RunSummary> runs() const;

    /// Only their folders, without reading them.
    std::vector<std::filesystem::path> paths() const;

    /// Summary of one training run at any path. Never throws for an invalid folder: the state is
    /// then Damaged.
    static RunSummary summary(const std::filesystem::path& run);

    /// True for checkpoints of another program (listSeries), not for a run, which may have
    /// checkpoints too. Quick.
    static bool isForeignSeries(const std::filesystem::path& path);

    /// A path in the library that does not exist yet: "stories", "stories-2", ...
    std::filesystem::path freshPath(const std::string& name) const;

    static void setNotes(const std::filesystem::path& run, const std::string& notes);

    /// Moves the run to the folder .trash of the library and returns its new path. Throws Error for
    /// a run that is being written and for a series of another program.
    std::filesystem::path remove(const std::filesystem::path& run) const;

    /// Undoes remove. Throws Error if the old path has been taken in the meantime.
    std::filesystem::path restore(const std::filesystem::path& trashed) const;

private:
    std::filesystem::path m_folder;
};

} // namespace headscope
