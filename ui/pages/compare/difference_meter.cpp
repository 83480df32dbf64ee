#include "ui/pages/compare/difference_meter.h"

namespace headscope::ui {

void DifferenceMeter::measure(const ViewSnapshot& view)
{
    measureTraces(view);
    measureWeights(view);
}

void DifferenceMeter::measureTraces(const ViewSnapshot& view)
{
    const bool waits = !view.a || (!view.changes.empty() && !view.b);
    const TracePtr& b = view.b ? view.b : view.a;
    if (waits || (view.a == m_a && b == m_b))
        return;
    m_a = view.a;
    m_b = b;
    m_traceTask.start(
        [a = m_a, b = m_b](const LatestTask::Control& control) {
            return traceDifference(*a, *b, control.stop());
        },
        [this, view](const TraceDifference& traces) {
            m_subject = view;
            m_differences.traces = traces;
            emit measured();
        },
        [this](const QString& sentence) { emit failed(sentence); });
}

void DifferenceMeter::measureWeights(const ViewSnapshot& view)
{
    const ModelPair models{view.modelA.model, view.modelB.model};
    if (models == m_models)
        return;
    m_models = models;
    m_weightTask.cancel();
    m_weightProgress = 0.0;
    m_differences.weights = nullptr;
    if (!models.first || !models.second || models.first == models.second)
        return;
    m_weightTask.start(
        [this, models](const LatestTask::Control& control) {
            Progress progress(control.stop(), [&](std::uint64_t done, std::uint64_t total) {
                const double fraction = static_cast<double>(done) / static_cast<double>(total);
                control.tell([this, fraction] {
                    m_weightProgress = fraction;
                    emit advanced();
                });
            });
            return std::make_shared<const WeightDifference>(
                weightDifference(models.first, models.second, progress));
        },
        [this](const WeightDifferencePtr& weights) {
            m_differences.weights = weights;
            emit measured();
        },
        [this](const QString& sentence) { emit failed(sentence); });
}

} // namespace headscope::ui
