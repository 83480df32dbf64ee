#pragma once

#include "core/analysis/report/model_report_maker.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QObject>

namespace headscope::ui {

using ModelReportPtr = std::shared_ptr<const ModelReport>;

/// Makes one report on its own thread. Signals arrive on the thread that made it.
class ReportWorker : public QObject
{
    Q_OBJECT

public:
    explicit ReportWorker(QObject* parent = nullptr);
    ~ReportWorker() override; ///< stops what is under way and waits for it

    void start(const ReportRequest& request, const BackendFactory& backends);
    void cancel();

    bool isRunning() const { return m_running; }

signals:
    void progressed(const QString& part, double fraction);
    void made(const headscope::ui::ModelReportPtr& report);
    void failed(const QString& sentence); ///< empty when it was cancelled

private:
    void end(quint64 wish, const std::function<void()>& answer);

    bool m_running = false;
    quint64 m_wish = 0; // answers of older ones are dropped
    std::stop_source m_stop;
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
