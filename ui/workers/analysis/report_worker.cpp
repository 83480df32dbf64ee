#include "ui/workers/analysis/report_worker.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

ReportWorker::ReportWorker(QObject* parent) : QObject(parent) {}

ReportWorker::~ReportWorker()
{
    m_stop.request_stop();
}

void ReportWorker::cancel()
{
    m_stop.request_stop();
}

void ReportWorker::end(quint64 wish, const std::function<void()>& answer)
{
    if (wish != m_wish)
        return;
    m_running = false;
    answer();
}

void ReportWorker::start(const ReportRequest& request, const BackendFactory& backends)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_running = true;
    const quint64 wish = ++m_wish;
    m_thread.run([this, wish, request, backends, stop = m_stop.get_token()] {
        const auto tell = [this, wish](const std::string& part, double fraction) {
            m_home.send([this, wish, part, fraction] {
                if (wish == m_wish && m_running)
                    emit progressed(QString::fromStdString(part), fraction);
            });
        };
        // QStrings are made at home: none is shared between threads
        try {
            auto report =
                std::make_shared<const ModelReport>(makeModelReport(request, backends, stop, tell));
            m_home.send([this, wish, report = std::move(report)] {
                // one that was ready when it was cancelled is not wanted either
                const bool cancelled = m_stop.stop_requested();
                end(wish, [&] { cancelled ? emit failed(QString()) : emit made(report); });
            });
        } catch (const Cancelled&) {
            m_home.send([this, wish] { end(wish, [&] { emit failed(QString()); }); });
        } catch (const std::exception& error) {
            m_home.send([this, wish, sentence = errorSentence(error).toStdString()] {
                end(wish, [&] { emit failed(QString::fromStdString(sentence)); });
            });
        }
    });
}

} // namespace headscope::ui
