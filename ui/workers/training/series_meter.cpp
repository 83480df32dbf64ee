#include "ui/workers/training/series_meter.h"

#include "core/base/error.h"
#include "core/runs/series/series_scores.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/training/measured_heads.h"

#include <utility>

namespace headscope::ui {

struct SeriesMeter::Order
{
    std::shared_ptr<const CheckpointSeries> series;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::string device;
    std::filesystem::path cache;
};

SeriesMeter::SeriesMeter(BackendRegistry registry) : m_registry(std::move(registry)) {}

void SeriesMeter::measure(const std::shared_ptr<const CheckpointSeries>& series,
                          const std::shared_ptr<const Tokenizer>& tokenizer,
                          const std::string& device)
{
    m_done = 0;
    m_all = static_cast<int>(series->checkpoints().size());
    m_task.start([this, order = Order{series, tokenizer, device, seriesCache()}](
                     const LatestTask::Control& control) { return run(order, control); },
                 [this](int) { emit finished(); },
                 [this](const QString& sentence) {
                     emit failed(sentence);
                     emit finished();
                 });
}

void SeriesMeter::cancel()
{
    if (!m_task.isRunning())
        return;
    m_task.cancel();
    emit finished();
}

/// Runs on the meter's thread; returns the number of measured checkpoints.
int SeriesMeter::run(const Order& order, const LatestTask::Control& control)
{
    const HeadProbe probe(order.series->config(), *order.tokenizer);
    SeriesScores scores(order.cache, *order.series, probe);
    std::unique_ptr<AttentionBackend> backend;
    int done = 0;
    for (const SeriesCheckpoint& checkpoint : order.series->checkpoints()) {
        Progress progress(control.stop());
        progress.requireGoingOn();
        try {
            const HeadScorePoint* known = scores.find(checkpoint.step);
            HeadScorePoint point;
            if (known) {
                point = *known;
            } else {
                if (!backend)
                    backend = m_registry.create(order.device);
                point = probe.measure(*order.series->load(checkpoint.step, progress),
                                      checkpoint.step, *backend);
                scores.add(point);
            }
            control.tell([this, point, count = ++done] {
                m_done = count;
                emit measured(point);
            });
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            control.tell([this, sentence = errorSentence(error)] { emit failed(sentence); });
        }
    }
    return done;
}

} // namespace headscope::ui
