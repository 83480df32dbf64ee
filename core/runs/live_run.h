#pragma once

#include "core/base/error.h"
#include "core/runs/live_point.h"
#include "core/runs/timeline.h"
#include "core/train/data/prepared_data.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace headscope {

struct LiveRunOptions
{
    std::filesystem::path folder; ///< Folder of the training run.
    std::string device = "auto";  ///< Name stored with the run.
    /// Makes one backend per worker.
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
    std::shared_ptr<BatchPart> batchPart;      ///< Other processes that compute parts of batches.
    std::optional<std::int64_t> steps;         ///< Step to stop after; the schedule is unchanged.
    std::uint64_t timelineBudget = 1ULL << 30; ///< Bytes on disk.
    bool watchesHeads = true; ///< Whether to write scores of heads into scores.jsonl.
    /// Receives one sentence before each long preparation.
    std::function<void(const std::string&)> say;
    /// Receives the fraction done, 0 to 1, while a vocabulary is trained.
    std::function<void(double)> done;
    std::stop_token stop; ///< Stops the preparation: Cancelled.
};

/// Thrown for a loss that is not finite, or that shows that nothing is learnt any more: above 20 ln
/// V, twenty times that of a uniform guess.
class DivergedError : public Error
{
public:
    DivergedError(const Error& cause, std::int64_t began, std::string layer,
                  std::optional<std::int64_t> lastGood);

    /// The update that broke the weights: before it the loss was below 2 ln V.
    std::int64_t step() const { return m_step; }

    /// The first activation or gradient that is not finite, or ten times as large as in the last
    /// good snapshot: "blocks.0.mlp.hook_pre of row 3". Empty when there is none.
    const std::string& layer() const { return m_layer; }

    /// The newest snapshot before that update: fork from there.
    std::optional<std::int64_t> lastGood() const { return m_lastGood; }

private:
    std::int64_t m_step;
    std::string m_layer;
    std::optional<std::int64_t> m_lastGood;
};

class LiveState;

/// A training run that is controlled, observed and saved to disk, one step at a time. It starts no
/// thread; use it on one. The numbers depend on configuration, seed, device and the changes made,
/// never on time or on what is saved, measured or displayed. While it exists no other LiveRun can
/// open its directory; the lock is released even if the process is killed.
class LiveRun
{
public:
    /// Creates a training run. Prepares the data first, which may take a minute. Throws Error (also
    /// for a folder that is not empty), FormatError, Cancelled; the folder is then not created.
    static LiveRun create(const TrainingConfig& config, const LiveRunOptions& options);

    /// Resumes from the newest saved step, with the changes of settings made until then; those made
    /// after that step are repeated when it gets there. `config`, where given, may differ from the
    /// stored one in steps and intervals only.
    static LiveRun resume(const LiveRunOptions& options,
                          const std::optional<TrainingConfig>& config = std::nullopt);

    /// Creates a training run in options.folder that forks from a snapshot of another one: bit for
    /// bit if that snapshot is exact, else with fresh optimizer moments (isExactFork() tells
    /// which).
    static LiveRun fork(const std::filesystem::path& from, std::int64_t step,
                        const LiveRunOptions& options);

    LiveRun(LiveRun&&) noexcept;
    LiveRun& operator=(LiveRun&&) noexcept;
    ~LiveRun(); ///< Does not save.

    /// One update and the work due after it. Throws DivergedError after recording it; Error when
    /// the disk is full: save() then tries again.
    LivePoint step();

    bool isDone() const { return stepsDone() >= steps(); }

    std::int64_t stepsDone() const;
    std::int64_t steps() const;
    /// Trains for longer, or stops earlier; the schedule is unchanged.
    void setSteps(std::int64_t steps);

    const LiveSettings& settings() const;

    /// Changes settings from the next step on. Recorded first, so that a resumed run makes the same
    /// change. Later changes that a resumed run would still have made are dropped. Throws Error for
    /// invalid values.
    void change(const LiveSettings& settings);

    /// Saves a snapshot of the current step, to resume from, unless there is one.
    void save();
    void pin(std::int64_t step, bool pinned = true);

    std::shared_ptr<const Model> model() const; ///< A copy of the current weights.
    const TrainingConfig& config() const;
    const PreparedData& data() const;
    const std::filesystem::path& folder() const;
    const Timeline& timeline() const;
    const HeadCurves& headCurves() const; ///< From the first step of the run on.
    const std::vector<RunEvent>& events() const;
    bool isExactFork() const; ///< True for a run that is not a fork.

private:
    explicit LiveRun(std::unique_ptr<LiveState> state);
    std::unique_ptr<LiveState> m_state;
};

} // namespace headscope
