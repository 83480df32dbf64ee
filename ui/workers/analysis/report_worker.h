#pragma once

#include "core/analysis/report/model_report_maker.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

using ModelReportPtr = std::shared_ptr<const ModelReport>;

/// Creates one report in its own thread. Signals arrive on the thread that created the worker.
class ReportWorker : public QObject
{
    Q_OBJECT

public:
    void start(const ReportRequest& request, const BackendFactory& backends);
    void cancel();

    bool isRunning() const { return m_task.isRunning(); }

signals:
    void progressed(const QString& part, double fraction);
    void made(const headscope::ui::ModelReportPtr& report);
    /// Emitted with the error; the sentence is empty after cancellation.
    void failed(const QString& sentence);

private:
    LatestTask m_task;
};

} // namespace headscope::ui
