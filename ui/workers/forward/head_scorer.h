#pragma once

#include "core/analysis/heads/head_likeness.h"
#include "core/analysis/labels/head_labels.h"
#include "ui/workers/forward/patterns.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

/// Score tables of one text, with labels only where requested. With `before` the tables hold the
/// difference from that trace.
struct ScoredText
{
    TracePtr trace;
    TracePtr before;
    HeadScoreTablesPtr tables;
    std::shared_ptr<const HeadLabelTables> labels;
};

/// Results of a model on standard texts, and the labels that follow from them.
struct SurveyedModel
{
    std::shared_ptr<const Model> model;
    HeadSurveyPtr survey; ///< Null while there is none.
    std::shared_ptr<const HeadLabelTables> labels;
};

/// Scores heads in threads of its own, so that typing never waits for the survey of a model.
/// Signals arrive on the thread that created the scorer.
class HeadScorer : public QObject
{
    Q_OBJECT

public:
    /// Scores a trace and cancels the previous task. `withLabels` adds the labels that can be
    /// assigned from one text.
    void scoreTrace(const TracePtr& trace, bool withLabels = false, const TracePtr& before = {});

    /// Finds heads with similar behaviour.
    void compare(const TracePtr& trace, AttentionKind attention);
    void readWeights(const LoadedModel& model, HeadId head);

    /// Emits the result at once when this model was surveyed before.
    void survey(const LoadedModel& model);
    void cancelSurvey();

    bool isSurveying() const { return m_surveyTask.isRunning(); }

signals:
    void traceScored(const headscope::ui::ScoredText& scored);
    void compared(const headscope::HeadLikenessPtr& likeness);
    void weightsRead(const headscope::HeadWeightsPtr& weights);
    void surveyProgressed(double fraction);
    void surveyed(const headscope::ui::SurveyedModel& surveyed);
    /// Emitted with the error; the sentence is empty after cancellation.
    void surveyFailed(const QString& sentence);

private:
    SurveyedModel m_last;
    std::shared_ptr<HeadScoreCache> m_cache = std::make_shared<HeadScoreCache>();
    LatestTask m_scoreTask; // Declared last, as its tasks use the other members.
    LatestTask m_likenessTask;
    LatestTask m_weightsTask;
    LatestTask m_surveyTask;
};

} // namespace headscope::ui
