#pragma once

#include "core/analysis/causal/ablation_sweep.h"
#include "core/analysis/causal/fact_path.h"
#include "core/model/pass/tracer.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <variant>

namespace headscope::ui {

/// What a causal test is about: texts as tokens, and the number that is watched.
struct CausalJob
{
    enum class Kind { Sweep, Grid, Path };

    Kind kind = Kind::Sweep; ///< the only one for a model without a language head
    LoadedModel model;
    CausalText clean;
    CausalText corrupted;  ///< of Grid and Path
    GradientTarget metric; ///< not of a model without a language head: its last states are watched
    Replacement replacement = Replacement::Zero; ///< of Sweep
    std::uint64_t seed = 0;                      ///< the same
    PatchSite site = PatchSite::ResidPre;        ///< of Grid
    PatchedHead head;                            ///< of Grid, for cells
    bool findsOther = false; ///< the metric subtracts what the model says of the corrupted text
};

using CausalResult = std::variant<AblationSweep, PatchGrid, FactPath>;

/// The token that the model puts first after `row` of the corrupted text, other than the metric's.
TokenId corruptedAnswer(const CausalJob& job, const std::stop_token& stop = {});

/// Runs causal tests on its own thread and the CPU, one at a time: a new one stops the one before.
/// Signals arrive on the thread that made it.
class CausalWorker : public QObject
{
    Q_OBJECT

public:
    explicit CausalWorker(QObject* parent = nullptr);

    void run(CausalJob job);
    void cancel();

    bool isRunning() const { return m_task.isRunning(); }

signals:
    void advanced(double fraction);
    void otherFound(headscope::TokenId token); ///< before finished(), of a job that asked for it
    void finished(const headscope::ui::CausalResult& result);
    void failed(const QString& sentence); ///< empty when it was cancelled

private:
    CausalResult compute(const CausalJob& job, const LatestTask::Control& control);

    std::shared_ptr<const ResumedForward> m_resumed; ///< of the task's thread: the last model
    LatestTask m_task;
};

} // namespace headscope::ui
