#include "ui/workers/forward/head_scorer.h"

namespace headscope::ui {

void HeadScorer::scoreTrace(const TracePtr& trace, bool withLabels, const TracePtr& before)
{
    m_scoreTask.cancel();
    m_likenessTask.cancel(); // belongs to a text that is no longer shown
    if (!trace)
        return;
    const auto score = [trace, withLabels, before,
                        cache = m_cache](const LatestTask::Control& control) {
        ScoredText scored{trace, before, cache->scoresOf(trace, {}, control.stop()), nullptr};
        if (withLabels)
            scored.labels = std::make_shared<const HeadLabelTables>(
                labelHeads(trace, *scored.tables, control.stop()));
        if (before)
            scored.tables = std::make_shared<const HeadScoreTables>(
                differenceOf(*cache->scoresOf(before, {}, control.stop()), *scored.tables));
        return scored;
    };
    m_scoreTask.start(score, [this](const ScoredText& scored) { emit traceScored(scored); });
}

void HeadScorer::compare(const TracePtr& trace, AttentionKind attention)
{
    m_likenessTask.cancel();
    if (!trace)
        return;
    m_likenessTask.start(
        [trace, attention](const LatestTask::Control& control) {
            return compareHeads(trace, attention, control.stop());
        },
        [this](const HeadLikenessPtr& likeness) { emit compared(likeness); });
}

void HeadScorer::readWeights(const LoadedModel& model, HeadId head)
{
    m_weightsTask.cancel();
    if (!model.model)
        return;
    m_weightsTask.start(
        [weights = model.model, head](const LatestTask::Control& control) {
            return readHeadWeights(*weights, head, control.stop());
        },
        [this](const HeadWeightsPtr& read) { emit weightsRead(read); });
}

void HeadScorer::survey(const LoadedModel& model)
{
    m_surveyTask.cancel();
    if (!model.model)
        return;
    if (m_last.survey && m_last.model == model.model) {
        emit surveyed(m_last);
        return;
    }
    m_surveyTask.start(
        [this, model](const LatestTask::Control& control) {
            const HeadSurveyPtr survey = surveyHeads(model, control.stop(), [&](double fraction) {
                control.tell([this, fraction] { emit surveyProgressed(fraction); });
            });
            return SurveyedModel{
                model.model, survey,
                std::make_shared<const HeadLabelTables>(labelHeads(*survey, control.stop()))};
        },
        [this](const SurveyedModel& done) {
            m_last = done;
            emit surveyed(done);
        },
        [this](const QString& sentence) { emit surveyFailed(sentence); });
    emit surveyProgressed(0.0);
}

void HeadScorer::cancelSurvey()
{
    if (!isSurveying())
        return;
    m_surveyTask.cancel();
    emit surveyFailed({});
}

} // namespace headscope::ui
