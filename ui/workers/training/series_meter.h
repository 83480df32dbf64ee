#pragma once

#include "core/attention/backend_registry.h"
#include "core/runs/head_curves.h"
#include "core/runs/series/checkpoint_series.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

/// Measures the heads of a series, one checkpoint after the other, in its own thread. Checkpoints
/// measured before are read from a cache.
class SeriesMeter : public QObject
{
    Q_OBJECT

public:
    explicit SeriesMeter(BackendRegistry registry);

    /// Measures all checkpoints; another series is cancelled.
    void measure(const std::shared_ptr<const CheckpointSeries>& series,
                 const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& device);
    void cancel(); ///< Ends with finished().

    bool isMeasuring() const { return m_task.isRunning(); }

    int done() const { return m_done; } ///< Number of checkpoints measured.

    int all() const { return m_all; }

signals:
    /// Emitted for one checkpoint after the other, by ascending step.
    void measured(const headscope::HeadScorePoint& point);
    void finished();
    void failed(const QString& sentence); ///< Emitted for a checkpoint that cannot be measured.

private:
    struct Order;

    int run(const Order& order, const LatestTask::Control& control);

    BackendRegistry m_registry;
    int m_done = 0;
    int m_all = 0;
    LatestTask m_task; // Declared last, so that its thread ends first.
};

} // namespace headscope::ui
