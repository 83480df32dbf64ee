#pragma once

#include "core/analysis/causal/ablation_sweep.h"
#include "core/analysis/causal/fact_path.h"
#include "core/model/pass/tracer.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <variant>

namespace headscope::ui {

/// Inputs of a causal test: tokenized texts and the metric to measure.
struct CausalJob
{
    enum class Kind { Sweep, Grid, Path };

    /// Kind of test; Sweep is the only one for models without a language head.
    Kind kind = Kind::Sweep;
    LoadedModel model;
    CausalText clean;
    CausalText corrupted; ///< Corrupted run of Grid and Path.
    /// Metric of the test; unused without a language head, where the final hidden state is
    /// measured.
    GradientTarget metric;
    Replacement replacement = Replacement::Zero; ///< Replacement of an ablated output, for Sweep.
    std::uint64_t seed = 0;                      ///< Random seed, for Sweep.
    PatchSite site = PatchSite::ResidPre;        ///< Patched site, for Grid.
    PatchedHead head;                            ///< Patched head, for Grid over cells.
    /// True if the metric subtracts the model's prediction for the corrupted text.
    bool findsOther = false;
};

using CausalResult = std::variant<AblationSweep, PatchGrid, FactPath>;

/// Top-1 token after `row` of the corrupted text, other than the metric's token.
TokenId corruptedAnswer(const CausalJob& job, const std::stop_token& stop = {});

/// Runs causal tests on the CPU in its own thread, one at a time: a new one cancels the previous
/// one. Signals arrive on the thread that created the worker.
class CausalWorker : public QObject
{
    Q_OBJECT

public:
    void run(CausalJob job);
    void cancel();

    bool isRunning() const { return m_task.isRunning(); }

signals:
    void advanced(double fraction);
    /// Emitted before finished() when the job requested it.
    void otherFound(headscope::TokenId token);
    void finished(const headscope::ui::CausalResult& result);
    /// Emitted with the error; the sentence is empty after cancellation.
    void failed(const QString& sentence);

private:
    CausalResult compute(const CausalJob& job, const LatestTask::Control& control);

    /// Cached forward pass of the last model; used on the task's thread only.
    std::shared_ptr<const ResumedForward> m_resumed;
    LatestTask m_task;
};

} // namespace headscope::ui
