#pragma once

#include "ui/pages/heads/heads_content.h"
#include "ui/workers/forward/head_scorer.h"

#include <QObject>
#include <QTimer>

namespace headscope::ui {

class Session;

/// What is measured of the heads that a session shows: their scores and their likeness on the text,
/// a survey of the model on standard texts, and the weights of one head. Texts are scored as they
/// are typed; a model is surveyed once, beside that.
class HeadMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit HeadMeasurement(Session& session, QObject* parent = nullptr);

    HeadsMeasured measured() const;  ///< Tables of the shown part.
    AttentionKind attention() const; ///< Of the shown part.

    const HeadSurveyPtr& survey() const { return m_surveyed.survey; } ///< Null while there is none.

    const HeadLikenessPtr& likeness() const { return m_likeness; } ///< Null while there is none.

    const HeadWeightsPtr& weights() const { return m_weights; } ///< Null while they are read.

    bool isTextScored() const; ///< The shown run has its scores.

    /// Nothing that was asked for is still being measured.
    bool isSettled(bool withLikeness) const;

    bool isSurveying() const { return m_scorer.isSurveying(); }

    bool offersSurvey() const; ///< The model is not surveyed, and nothing is about to survey it.

    double progress() const { return m_progress; } ///< Fraction of the survey that is done.

    const QString& problem() const { return m_problem; } ///< Why there is no survey.

    /// Asks for what the session shows now and is not there yet. Large models are surveyed only
    /// where `wantsSurvey`.
    void measure(bool wantsSurvey);

    void readWeights(HeadId head); ///< Takes a while for heads of late layers.
    void startSurvey();
    void cancelSurvey();
    void forgetText(); ///< After a change of the model: these were other heads.

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
    std::pair<TracePtr, TracePtr> m_scoring; ///< With A too while B−A is shown.
    ScoredText m_text;
    SurveyedModel m_surveyed;
    std::shared_ptr<const Model> m_surveying; ///< Model of the newest survey.
    double m_progress = 0.0;
    QString m_problem;
    HeadLikenessPtr m_likeness;
    std::pair<TracePtr, AttentionKind> m_comparing;
    HeadWeightsPtr m_weights;
    std::shared_ptr<const Model> m_weightsOf;
    QTimer m_later; ///< A survey waits until models stop changing, as they do in training.
    HeadScorer m_scorer;
};

} // namespace headscope::ui
