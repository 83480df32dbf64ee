#pragma once

#include "core/runs/head_probe.h"
#include "core/runs/live_run.h"
#include "core/runs/run_store.h"

#include <map>
#include <string>
#include <vector>

namespace headscope {

/// The state of an open LiveRun, separate from how it is opened.
class LiveState
{
public:
    struct Parts
    {
        TrainingConfig config;
        LiveRunOptions options;
        PreparedData data;
        TrainingState state;
        std::vector<RunEvent> events; ///< Includes those that a resumed run will repeat.
        bool isExact = true;
    };

    /// Allocates the memory for training; the store is opened afterwards, since a run without
    /// enough memory must leave no files.
    explicit LiveState(Parts parts);

    void attach(RunStore store);

    LivePoint step();
    void change(const LiveSettings& settings);
    void save();
    void pin(std::int64_t step, bool pinned);
    void record(RunEvent event);

    std::int64_t stepsDone() const { return m_trainer->state().step; }

    std::shared_ptr<const Model> model() const;

    const LiveSettings& settings() const { return m_settings; }

    const std::vector<RunEvent>& events() const { return m_events; }

    const HeadCurves& headCurves() const { return m_curves; }

    const RunStore& store() const { return *m_store; }

    const TrainingConfig config;
    const LiveRunOptions options;
    const PreparedData data;
    const bool isExact;
    std::int64_t steps = 0; ///< Last step.

private:
    std::unique_ptr<Trainer> makeTrainer(TrainingState state, const LiveSettings& settings) const;
    void apply(const LiveSettings& settings);
    void applyPlanned();
    Batch nextBatch();
    StepReport advance(const Batch& batch);
    void keepWhatIsGood();
    [[noreturn]] void diverge(const TrainingDiverged& cause, const Batch& batch);
    void evaluateAndLog(LivePoint& point);
    void measureHeads(LivePoint& point);
    void noteJumps();

    std::unique_ptr<Trainer> m_trainer;
    std::shared_ptr<const BatchSource> m_batches;
    std::optional<RunStore> m_store;
    std::optional<HeadProbe> m_probe;
    std::unique_ptr<AttentionBackend> m_backend; ///< Backend of the probe.
    LiveSettings m_settings;
    std::vector<RunEvent> m_events;    ///< Events that have happened.
    std::vector<RunEvent> m_planned;   ///< Changes that a resumed run repeats.
    std::vector<RunEvent> m_newEvents; ///< Events since the last point.
    HeadCurves m_curves;
    std::map<std::string, std::string> m_metadata; ///< Metadata of checkpoints.
    std::int64_t m_lastCalm = 0; ///< Step of the newest weights whose loss was below 2 ln V.
    std::int64_t m_tokens = 0;   ///< Tokens since the last line.
    double m_seconds = 0.0;      ///< Time since the last line, without evaluation.
    double m_secondsTrained = 0.0;
    std::int64_t m_stepsHere = 0; ///< Number of steps made by this process.
};

} // namespace headscope
