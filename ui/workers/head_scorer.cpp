#include "ui/workers/head_scorer.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

HeadScorer::HeadScorer(QObject* parent) : QObject(parent)
{
    qRegisterMetaType<HeadScoreTables>();
    qRegisterMetaType<ProbePtr>();
}

HeadScorer::~HeadScorer()
{
    m_stopText.request_stop();
    m_stopProbe.request_stop();
}

void HeadScorer::scoreTrace(const TracePtr& trace)
{
    m_stopText.request_stop();
    m_stopText = {};
    if (!trace)
        return;
    m_thread.run([this, trace, stop = m_stopText.get_token()] {
        try {
            const HeadScoreTables tables = scoreText(*trace, stop);
            m_home.send([this, trace, tables, stop] {
                if (!stop.stop_requested())
                    emit traceScored(trace, tables);
            });
        } catch (const std::exception&) {
            // Only a newer text stops it, and that one answers.
        }
    });
}

void HeadScorer::probe(const LoadedModel& model)
{
    m_stopProbe.request_stop();
    m_stopProbe = {};
    const quint64 wish = ++m_wish;
    if (!model.model)
        return;
    if (m_probe && m_probedModel.lock() == model.model) {
        m_probing = false;
        emit probed(m_probe);
        return;
    }
    m_probing = true;
    emit probeProgressed(0, kProbeTexts);
    m_thread.run(
        [this, model, wish, stop = m_stopProbe.get_token()] { probeOnThread(model, wish, stop); });
}

void HeadScorer::cancelProbe()
{
    if (!m_probing)
        return;
    m_stopProbe.request_stop();
    ++m_wish;
    m_probing = false;
    emit probeFailed({});
}

void HeadScorer::probeOnThread(const LoadedModel& model, quint64 wish, std::stop_token stop)
{
    try {
        const ProbePtr probe = runProbe(model, stop, [this, wish](int done) {
            deliver(wish, [this, done] { emit probeProgressed(done, kProbeTexts); });
        });
        deliver(wish, [this, probe, kept = std::weak_ptr(model.model)] {
            m_probing = false;
            m_probe = probe;
            m_probedModel = kept;
            emit probed(probe);
        });
    } catch (const std::exception& error) {
        const QString sentence = errorSentence(error);
        deliver(wish, [this, sentence] {
            m_probing = false;
            emit probeFailed(sentence);
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
