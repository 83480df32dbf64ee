#pragma once

#include "core/runs/run_card.h"
#include "core/runs/run_curves.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A run on disk in a few lines.
struct RunSummary
{
    enum class State {
        Running,  ///< another process, or this one, writes it now
        Finished, ///< all steps are done
        Stopped,  ///< it can go on
        Diverged,
        Damaged, ///< `problem` says why
    };

    std::filesystem::path path;
    std::string name; ///< of the folder
    State state = State::Damaged;
    std::string problem = {}; ///< one sentence
    nlohmann::json config = nlohmann::json::object();
    std::uint64_t seed = 0;
    std::string device = {};
    std::string started = {}; ///< "2026-11-21T20:15:02Z"; empty for runs of older versions
    std::int64_t step = 0;    ///< of the last line of the log or the newest snapshot
    std::int64_t steps = 0;   ///< as configured
    std::optional<double> loss;
    std::optional<double> validationLoss;
    std::optional<double> validationAccuracy;
    std::optional<RunOrigin> origin;
    std::string notes = {};
};

std::string nameOf(RunSummary::State state); ///< "running", "finished", ...

/// One key in which two configurations differ; "" where a side lacks it.
struct ConfigDifference
{
    std::string key; ///< "optimizer.lr"
    std::string first;
    std::string second;
};

/// Key by key, in alphabetic order; equal keys are left out.
std::vector<ConfigDifference> compareConfigs(const nlohmann::json& first,
                                             const nlohmann::json& second);

/// The runs in the folders of one folder. Every call looks at the disk again, so runs of other
/// processes show up.
class RunLibrary
{
public:
    explicit RunLibrary(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    const std::filesystem::path& folder() const { return m_folder; }

    /// By name; folders that hold no run at all are left out, damaged runs are listed as such.
    std::vector<RunSummary> runs() const;

    /// Their folders alone, which takes no reading.
    std::vector<std::filesystem::path> paths() const;

    /// One run, wherever it is. Never throws for a bad folder: the state is Damaged then.
    static RunSummary summary(const std::filesystem::path& run);

    /// A path in the library that does not exist yet: "stories", "stories-2", ...
    std::filesystem::path freshPath(const std::string& name) const;

    static void setNotes(const std::filesystem::path& run, const std::string& notes);

    /// Moves the run to the folder .trash of the library and returns its place there. Throws Error
    /// for a run that is being written.
    std::filesystem::path remove(const std::filesystem::path& run) const;

    /// The undo of remove. Throws Error when the old place was taken in the meantime.
    std::filesystem::path restore(const std::filesystem::path& trashed) const;

private:
    std::filesystem::path m_folder;
};

} // namespace headscope
