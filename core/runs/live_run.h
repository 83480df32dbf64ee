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
    std::filesystem::path folder;                                   ///< of the run
    std::string device = "auto";                                    ///< is kept with the run
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend; ///< one per worker
    std::shared_ptr<BatchShare> share;           ///< other processes that compute parts of batches
    std::optional<std::int64_t> steps;           ///< stop after so many; the schedule stays
    std::uint64_t timelineBudget = 1ULL << 30;   ///< bytes on disk
    bool watchesHeads = true;                    ///< scores of heads, into scores.jsonl
    std::function<void(const std::string&)> say; ///< one sentence before each long preparation
    std::function<void(double)> done; ///< share of that, 0 to 1, while a vocabulary is learned
    std::stop_token stop;             ///< of the preparation: Cancelled
};

/// A loss that is not finite, or that says that nothing is learnt any more: above 20 ln V, twenty
/// times what guessing evenly costs.
class DivergedError : public Error
{
public:
    DivergedError(const Error& cause, std::int64_t began, std::string layer,
                  std::optional<std::int64_t> lastGood);

    /// The update that spoilt the weights: before it the loss was below 2 ln V.
    std::int64_t step() const { return m_step; }

    /// The first activation or gradient that is not finite, or ten times as large as in the last
    /// good snapshot: "blocks.0.mlp.hook_pre of row 3". Empty when there is none.
    const std::string& layer() const { return m_layer; }

    /// The newest snapshot from before: fork from there.
    std::optional<std::int64_t> lastGood() const { return m_lastGood; }

private:
    std::int64_t m_step;
    std::string m_layer;
    std::optional<std::int64_t> m_lastGood;
};

/// A training run that is steered, watched and kept on disk, one step at a time. It starts no
/// thread; use it on one. The numbers depend on configuration, seed, device and the changes that
/// were made, never on time, on what is saved, measured or shown.
/// While it lives no other LiveRun can open its directory; a kill lets go of it.
class LiveRun
{
public:
    /// A new run. Prepares the data first, which may take a minute. Throws Error (also for a folder
    /// that is not empty), FormatError, Cancelled; the folder is not made then.
    static LiveRun create(const TrainingConfig& config, const LiveRunOptions& options);

    /// Goes on from the newest step that was saved, with the changes of settings that were made;
    /// those made after that step come again when it gets there. `config`, where given, may differ
    /// from the stored one in steps and intervals alone.
    static LiveRun resume(const LiveRunOptions& options,
                          const std::optional<TrainingConfig>& config = std::nullopt);

    /// A new run in options.folder that goes on from a moment of another one: bit for bit where
    /// that moment is exact, else with fresh optimizer moments (isExactFork() says which).
    static LiveRun fork(const std::filesystem::path& from, std::int64_t step,
                        const LiveRunOptions& options);

    LiveRun(LiveRun&&) noexcept;
    LiveRun& operator=(LiveRun&&) noexcept;
    ~LiveRun(); ///< saves nothing

    /// One update and what is due after it. Throws DivergedError after it has been put on record;
    /// Error when the disk is full: save() then tries again.
    LivePoint step();

    bool isDone() const { return stepsDone() >= steps(); }

    std::int64_t stepsDone() const;
    std::int64_t steps() const;
    void setSteps(std::int64_t steps); ///< go on for longer, or stop earlier; the schedule stays

    const LiveSettings& settings() const;

    /// From the next step on. Is written down first, so that a resumed run makes the same change.
    /// Changes that a resumed run would still have made are dropped. Throws Error for bad values.
    void change(const LiveSettings& settings);

    /// A snapshot of the step it is at, to resume from; nothing when there is one.
    void save();
    void pin(std::int64_t step, bool pinned = true);

    std::shared_ptr<const Model> model() const; ///< a copy of the weights of now
    const TrainingConfig& config() const;
    const PreparedData& data() const;
    const std::filesystem::path& folder() const;
    const Timeline& timeline() const;
    const HeadCurves& headCurves() const; ///< from the first step of the run on
    const std::vector<RunEvent>& events() const;
    bool isExactFork() const; ///< true for a run that is no fork

private:
    struct Impl;
    explicit LiveRun(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace headscope
