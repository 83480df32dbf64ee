#include "ui/workers/forward/head_scorer.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

HeadScorer::HeadScorer(QObject* parent) : QObject(parent)
{
    qRegisterMetaType<ScoredText>();
    qRegisterMetaType<SurveyedModel>();
    qRegisterMetaType<HeadLikenessPtr>();
    qRegisterMetaType<HeadWeightsPtr>();
}

HeadScorer::~HeadScorer()
{
    for (std::stop_source* stop : {&m_stopText, &m_stopLikeness, &m_stopWeights, &m_stopSurvey})
        stop->request_stop();
}

void HeadScorer::scoreTrace(const TracePtr& trace, bool withLabels, const TracePtr& before)
{
    m_stopText.request_stop();
    m_stopLikeness.request_stop(); // of a text that is no longer shown
    m_stopText = {};
    if (!trace)
        return;
    m_texts.run([this, trace, withLabels, before, cache = m_cache, stop = m_stopText.get_token()] {
        try {
            ScoredText scored{trace, before, cache->scoresOf(trace, {}, stop), nullptr};
            if (withLabels)
                scored.labels = std::make_shared<const HeadLabelTables>(
                    labelHeads(trace, *scored.tables, stop));
            if (before)
                scored.tables = std::make_shared<const HeadScoreTables>(
                    differenceOf(*cache->scoresOf(before, {}, stop), *scored.tables));
            m_home.send([this, scored, stop] {
                if (!stop.stop_requested())
                    emit traceScored(scored);
            });
        } catch (const std::exception&) {
            // Only a newer text stops it, and that one answers.
        }
    });
}

void HeadScorer::compare(const TracePtr& trace, AttentionKind attention)
{
    m_stopLikeness.request_stop();
    m_stopLikeness = {};
    if (!trace)
        return;
    m_texts.run([this, trace, attention, stop = m_stopLikeness.get_token()] {
        try {
            const HeadLikenessPtr likeness = compareHeads(trace, attention, stop);
            m_home.send([this, likeness, stop] {
                if (!stop.stop_requested())
                    emit compared(likeness);
            });
        } catch (const std::exception&) {
            // Stopped by a newer text or part, which answers.
        }
    });
}

void HeadScorer::readWeights(const LoadedModel& model, HeadId head)
{
    m_stopWeights.request_stop();
    m_stopWeights = {};
    if (!model.model)
        return;
    m_texts.run([this, weights = model.model, head, stop = m_stopWeights.get_token()] {
        try {
            const HeadWeightsPtr read = readHeadWeights(*weights, head, stop);
            m_home.send([this, read, stop] {
                if (!stop.stop_requested())
                    emit weightsRead(read);
            });
        } catch (const std::exception&) {
            // Stopped by another head, which answers.
        }
    });
}

void HeadScorer::survey(const LoadedModel& model)
{
    m_stopSurvey.request_stop();
    m_stopSurvey = {};
    const quint64 wish = ++m_wish;
    m_surveying = false;
    if (!model.model)
        return;
    if (m_last.survey && m_last.model == model.model) {
        emit surveyed(m_last);
        return;
    }
    m_surveying = true;
    emit surveyProgressed(0.0);
    m_surveys.run([this, model, wish, stop = m_stopSurvey.get_token()] {
        surveyOnThread(model, wish, stop);
    });
}

void HeadScorer::cancelSurvey()
{
    if (!m_surveying)
        return;
    m_stopSurvey.request_stop();
    ++m_wish;
    m_surveying = false;
    emit surveyFailed({});
}

void HeadScorer::surveyOnThread(const LoadedModel& model, quint64 wish, const std::stop_token& stop)
{
    try {
        const HeadSurveyPtr survey = surveyHeads(model, stop, [this, wish](double fraction) {
            deliver(wish, [this, fraction] { emit surveyProgressed(fraction); });
        });
        const SurveyedModel done{
            model.model, survey,
            std::make_shared<const HeadLabelTables>(labelHeads(*survey, stop))};
        deliver(wish, [this, done] {
            m_surveying = false;
            m_last = done;
            emit surveyed(done);
        });
    } catch (const std::exception& error) {
        deliver(wish, [this, sentence = errorSentence(error)] {
            m_surveying = false;
            emit surveyFailed(sentence);
        });
    }
}

void HeadScorer::deliver(quint64 wish, std::function<void()> answer)
{
    m_home.send([this, wish, answer = std::move(answer)] {
        if (wish == m_wish)
            answer();
    });
}

} // namespace headscope::ui
