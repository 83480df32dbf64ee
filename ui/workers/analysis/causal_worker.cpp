#include "ui/workers/analysis/causal_worker.h"

#include "core/analysis/causal/hidden_state_sweep.h"

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
        return job.metric.other; // the lengths differ; the test reports that itself
    const TensorView view = logits.view()[row];
    TokenId best = job.metric.token == 0 ? 1 : 0;
    for (TokenId id = 0; id < view.shape[0]; ++id)
        if (id != job.metric.token && view(id) > view(best))
            best = id;
    return best;
}

void CausalWorker::run(CausalJob job)
{
    m_task.start([this, job = std::move(job)](
                     const LatestTask::Control& control) { return compute(job, control); },
                 [this](const CausalResult& result) { emit finished(result); },
                 [this](const QString& sentence) { emit failed(sentence); });
}

void CausalWorker::cancel()
{
    if (!isRunning())
        return;
    m_task.cancel();
    emit failed({});
}

CausalResult CausalWorker::compute(const CausalJob& job, const LatestTask::Control& control)
{
    Progress progress(control.stop(), [this, &control](std::uint64_t done, std::uint64_t total) {
        const double fraction = static_cast<double>(done) / static_cast<double>(total);
        control.tell([this, fraction] { emit advanced(fraction); });
    });
    if (!job.model.model->config().languageHead)
        return hiddenStateSweep(*job.model.model, job.clean, {}, progress);
    if (!m_resumed || &m_resumed->model() != job.model.model.get())
        m_resumed = std::make_shared<const ResumedForward>(job.model.model);
    if (job.kind == CausalJob::Kind::Sweep)
        return ablationSweep(m_resumed, {job.clean, job.metric, job.replacement, {}, job.seed}, {},
                             progress);
    GradientTarget metric = job.metric;
    if (job.findsOther) {
        metric.other = corruptedAnswer(job, control.stop());
        control.tell([this, other = metric.other] { emit otherFound(other); });
    }
    const ActivationPatching patching(m_resumed, {job.clean, job.corrupted, metric}, {}, progress);
    if (job.kind == CausalJob::Kind::Grid)
        return patching.grid(job.site, progress, job.head);
    return factPath(patching, metric, progress);
}

} // namespace headscope::ui
