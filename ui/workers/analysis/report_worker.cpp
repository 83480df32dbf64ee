#include "ui/workers/analysis/report_worker.h"

#include "ui/widgets/text/message_text.h"

namespace headscope::ui {

void ReportWorker::start(const ReportRequest& request, const BackendFactory& backends)
{
    m_task.start(
        [this, request, backends](const LatestTask::Control& control) {
            const auto tell = [&](const std::string& part, double fraction) {
                control.tell(
                    [this, part, fraction] { emit progressed(messageText(part), fraction); });
            };
            return ModelReportPtr(std::make_shared<const ModelReport>(
                makeModelReport(request, backends, control.stop(), tell)));
        },
        [this](const ModelReportPtr& report) { emit made(report); },
        [this](const QString& sentence) { emit failed(sentence); });
}

void ReportWorker::cancel()
{
    if (!isRunning())
        return;
    m_task.cancel();
    emit failed({});
}

} // namespace headscope::ui
