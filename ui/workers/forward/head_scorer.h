#pragma once

#include "core/analysis/heads/head_likeness.h"
#include "core/analysis/labels/head_labels.h"
#include "ui/workers/forward/patterns.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QObject>

#include <stop_token>

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

/// Measures heads on threads of its own: texts, likeness and weights on one, so that typing never
/// waits for the survey of a model on the other. Signals arrive on the thread that made it.
class HeadScorer : public QObject
{
    Q_OBJECT

public:
    explicit HeadScorer(QObject* parent = nullptr);
    ~HeadScorer() override;

    /// A newer one stops the one before it. `withLabels`: those that a text alone allows.
    void scoreTrace(const TracePtr& trace, bool withLabels = false, const TracePtr& before = {});

    void compare(const TracePtr& trace, AttentionKind attention); ///< which heads behave alike
    void readWeights(const LoadedModel& model, HeadId head);

    /// Answers at once, by the signal, when this model was surveyed before.
    void survey(const LoadedModel& model);
    void cancelSurvey();

    bool isSurveying() const { return m_surveying; }

signals:
    void traceScored(const headscope::ui::ScoredText& scored);
    void compared(const headscope::HeadLikenessPtr& likeness);
    void weightsRead(const headscope::HeadWeightsPtr& weights);
    void surveyProgressed(double fraction);
    void surveyed(const headscope::ui::SurveyedModel& surveyed);
    void surveyFailed(const QString& sentence); ///< empty when it was cancelled

private:
    void surveyOnThread(const LoadedModel& model, quint64 wish, const std::stop_token& stop);
    void deliver(quint64 wish, std::function<void()> answer);

    SurveyedModel m_last;
    bool m_surveying = false;
    quint64 m_wish = 0; // the newest survey; answers of older ones are dropped
    std::shared_ptr<HeadScoreCache> m_cache = std::make_shared<HeadScoreCache>();
    std::stop_source m_stopText;
    std::stop_source m_stopLikeness;
    std::stop_source m_stopWeights;
    std::stop_source m_stopSurvey;
    ReturnPath m_home;
    TaskThread m_texts; // last: their tasks use the others
    TaskThread m_surveys;
};

} // namespace headscope::ui
