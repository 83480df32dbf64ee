#pragma once

#include "core/analysis/heads/head_likeness.h"
#include "core/analysis/labels/head_labels.h"
#include "ui/workers/forward/patterns.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

/// One text's tables; labels only where they were asked for. With `before` the tables are what
/// `trace` has more than that.
struct ScoredText
{
    TracePtr trace;
    TracePtr before;
    HeadScoreTablesPtr tables;
    std::shared_ptr<const HeadLabelTables> labels;
};

/// What a model does on standard texts, and the labels that follow.
struct SurveyedModel
{
    std::shared_ptr<const Model> model;
    HeadSurveyPtr survey; ///< null while there is none
    std::shared_ptr<const HeadLabelTables> labels;
};

/// Measures heads on threads of its own: typing never waits for the survey of a model. Signals arrive on the thread that made it.
class HeadScorer : public QObject
{
    Q_OBJECT

public:
    explicit HeadScorer(QObject* parent = nullptr);

    /// A newer one stops the one before it. `withLabels`: those that a text alone allows.
    void scoreTrace(const TracePtr& trace, bool withLabels = false, const TracePtr& before = {});

    void compare(const TracePtr& trace, AttentionKind attention); ///< which heads behave alike
    void readWeights(const LoadedModel& model, HeadId head);

    /// Answers at once, by the signal, when this model was surveyed before.
    void survey(const LoadedModel& model);
    void cancelSurvey();

    bool isSurveying() const { return m_surveyTask.isRunning(); }

signals:
    void traceScored(const headscope::ui::ScoredText& scored);
    void compared(const headscope::HeadLikenessPtr& likeness);
    void weightsRead(const headscope::HeadWeightsPtr& weights);
    void surveyProgressed(double fraction);
    void surveyed(const headscope::ui::SurveyedModel& surveyed);
    void surveyFailed(const QString& sentence); ///< empty when it was cancelled

private:
    SurveyedModel m_last;
    std::shared_ptr<HeadScoreCache> m_cache = std::make_shared<HeadScoreCache>();
    LatestTask m_scoreTask; // last: they use the others
    LatestTask m_likenessTask;
    LatestTask m_weightsTask;
    LatestTask m_surveyTask;
};

} // namespace headscope::ui
