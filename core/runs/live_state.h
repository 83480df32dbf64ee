#pragma once

#include "core/runs/head_probe.h"
#include "core/runs/live_run.h"
#include "core/runs/run_store.h"

#include <map>
#include <string>
#include <vector>

namespace headscope {

/// Everything of an open LiveRun. Kept apart from how it is opened.
class LiveState
{
public:
    struct Parts
    {
        TrainingConfig config;
        LiveRunOptions options;
        PreparedData data;
        TrainingState state;
        std::vector<RunEvent> events; ///< also those that a resumed run will make again
        bool isExact = true;
    };

    /// Takes the memory for training; the store comes afterwards, since a run whose memory is short
    /// must leave nothing.
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
    std::int64_t steps = 0; ///< where it ends

private:
    std::unique_ptr<Trainer> makeTrainer(TrainingState state, const LiveSettings& settings) const;
    void apply(const LiveSettings& settings);
    void applyPlanned();
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
    std::unique_ptr<AttentionBackend> m_backend; ///< of the probe
    LiveSettings m_settings;
    std::vector<RunEvent> m_events;    ///< that have happened
    std::vector<RunEvent> m_planned;   ///< changes that a resumed run makes again
    std::vector<RunEvent> m_newEvents; ///< since the last point
    HeadCurves m_curves;
    std::map<std::string, std::string> m_metadata; ///< of checkpoints
    std::int64_t m_lastCalm = 0;                   ///< newest weights whose loss was below 2 ln V
    std::int64_t m_tokens = 0;                     ///< since the last line
    double m_seconds = 0.0;                        ///< since the last line, evaluation left out
    double m_secondsTrained = 0.0;
    std::int64_t m_stepsHere = 0; ///< made by this process
};

} // namespace headscope
