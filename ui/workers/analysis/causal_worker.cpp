#include "ui/workers/analysis/causal_worker.h"

#include "core/analysis/causal/hidden_state_sweep.h"
#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

TokenId corruptedAnswer(const CausalJob& job, const std::stop_token& stop)
{
    const Model& model = *job.model.model;
    const auto backend = makeBackend({});
    KvCache cache(model.config());
    ForwardOptions options;
    options.stop = stop;
    if (model.config().isEncoderDecoder())
        model.encode(job.corrupted.source, *backend, cache, options);
    options.segments = job.corrupted.segments;
    const Tensor logits = model.forward(job.corrupted.ids, *backend, cache, options);
    const auto row =
        metricRow(job.metric, static_cast<std::int64_t>(job.corrupted.ids.size())).value_or(-1);
    if (row < 0 || row >= logits.shape()[0])
        return job.metric.other; // the lengths differ, which the test itself says
    const TensorView view = logits.view()[row];
    TokenId best = job.metric.token == 0 ? 1 : 0;
    for (TokenId id = 0; id < view.shape[0]; ++id)
        if (id != job.metric.token && view(id) > view(best))
            best = id;
    return best;
}

CausalWorker::CausalWorker(QObject* parent) : QObject(parent)
{
    qRegisterMetaType<CausalResult>();
}

CausalWorker::~CausalWorker()
{
    m_stop.request_stop();
}

void CausalWorker::run(CausalJob job)
{
    m_stop.request_stop();
    m_stop = {};
    m_running = true;
    const quint64 wish = ++m_wish;
    m_thread.run(
        [this, job = std::move(job), wish, stop = m_stop.get_token()] { work(job, wish, stop); });
}

void CausalWorker::cancel()
{
    if (!m_running)
        return;
    m_stop.request_stop();
    ++m_wish;
    m_running = false;
    emit failed({});
}

void CausalWorker::work(const CausalJob& job, quint64 wish, const std::stop_token& stop)
{
    try {
        Progress progress(stop, [this, wish](std::uint64_t done, std::uint64_t total) {
            const double fraction = static_cast<double>(done) / static_cast<double>(total);
            deliver(wish, [this, fraction] { emit advanced(fraction); });
        });
        auto result = std::make_shared<const CausalResult>(compute(job, wish, progress));
        deliver(wish, [this, result] {
            m_running = false;
            emit finished(*result);
        });
    } catch (const Cancelled&) {
        // Whoever stopped it has said so.
    } catch (const std::exception& error) {
        deliver(wish, [this, sentence = errorSentence(error).toStdString()] {
            m_running = false;
            emit failed(QString::fromStdString(sentence));
        });
    }
}

CausalResult CausalWorker::compute(const CausalJob& job, quint64 wish, Progress& progress)
{
    if (!job.model.model->config().languageHead)
        return hiddenStateSweep(*job.model.model, job.clean, {}, progress);
    if (!m_resumed || &m_resumed->model() != job.model.model.get())
        m_resumed = std::make_shared<const ResumedForward>(job.model.model);
    if (job.kind == CausalJob::Kind::Sweep)
        return ablationSweep(m_resumed, {job.clean, job.metric, job.replacement, {}, job.seed}, {},
                             progress);
    GradientTarget metric = job.metric;
    if (job.findsOther) {
        metric.other = corruptedAnswer(job, progress.stop());
        deliver(wish, [this, other = metric.other] { emit otherFound(other); });
    }
    const ActivationPatching patching(m_resumed, {job.clean, job.corrupted, metric}, {}, progress);
    if (job.kind == CausalJob::Kind::Grid)
        return patching.grid(job.site, progress, job.head);
    return factPath(patching, metric, progress);
}

void CausalWorker::deliver(quint64 wish, std::function<void()> answer)
{
    m_home.send([this, wish, answer = std::move(answer)] {
        if (wish == m_wish)
            answer();
    });
}

} // namespace headscope::ui
