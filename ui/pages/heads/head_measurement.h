#pragma once

#include "ui/pages/heads/heads_content.h"
#include "ui/workers/forward/head_scorer.h"

#include <QObject>
#include <QTimer>

namespace headscope::ui {

class Session;

/// Measurements of the heads that a session shows: scores and similarity on the text, a survey of
/// the model on standard texts, and the weights of one head. The text is scored as it is typed; a
/// model is surveyed once, in parallel.
class HeadMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit HeadMeasurement(Session& session, QObject* parent = nullptr);

    HeadsMeasured measured() const;  ///< Tables of the shown part.
    AttentionKind attention() const; ///< Kind of the shown part.

    const HeadSurveyPtr& survey() const { return m_surveyed.survey; } ///< Null while there is none.

    const HeadLikenessPtr& likeness() const { return m_likeness; } ///< Null while there is none.

    const HeadWeightsPtr& weights() const { return m_weights; } ///< Null while they are read.

    bool isTextScored() const; ///< True when the shown trace has its scores.

    /// True when no requested measurement is pending.
    bool isSettled(bool withLikeness) const;

    bool isSurveying() const { return m_scorer.isSurveying(); }

    bool offersSurvey() const; ///< True when the model is not surveyed and no survey is pending.

    double progress() const { return m_progress; } ///< Completed fraction of the survey.

    /// Why there is no survey; empty otherwise.
    const QString& problem() const { return m_problem; }

    /// Requests whatever the session shows and lacks. Large models are surveyed only with
    /// `wantsSurvey`.
    void measure(bool wantsSurvey);

    void readWeights(HeadId head); ///< Takes a while for heads of late layers.
    void startSurvey();
    void cancelSurvey();
    void forgetText(); ///< Drops the scores after the model changes: its heads are different.

signals:
    void textScored();
    void textCompared();
    void weightsRead();
    void surveyProgressed();
    void surveyChanged();

private:
    void connectScorer();
    void stopSurvey();
    void askForScores();
    void compareText();
    std::pair<TracePtr, TracePtr> shownTraces() const;

    Session& m_session;
    /// Traces being scored; includes A while B−A is shown.
    std::pair<TracePtr, TracePtr> m_scoring;
    ScoredText m_text;
    SurveyedModel m_surveyed;
    std::shared_ptr<const Model> m_surveying; ///< Model of the newest survey.
    double m_progress = 0.0;
    QString m_problem;
    HeadLikenessPtr m_likeness;
    std::pair<TracePtr, AttentionKind> m_comparing;
    HeadWeightsPtr m_weights;
    std::shared_ptr<const Model> m_weightsOf;
    QTimer m_later; ///< Delays a survey until the model stops changing, as it does in training.
    HeadScorer m_scorer;
};

} // namespace headscope::ui
