#pragma once

#include "ui/pages/report/report_file.h"
#include "ui/window/dialogs/save_dialog.h"
#include "ui/workers/analysis/report_worker.h"

#include <QTimer>

class QCheckBox;
class QProgressBar;

namespace headscope::ui {

class Session;
class TextLabel;

/// Request for the report that `headscope inspect --report` makes, from the model and text of the
/// window's variant A. Throws Error when there is nothing to report.
ReportRequest reportRequest(const Session& session);

/// Asks for a file, creates the report on a worker thread with progress and Cancel (Esc), and
/// writes it.
class ReportDialog : public SaveDialog
{
    Q_OBJECT

public:
    /// Proposes a new file in `folder`.
    ReportDialog(ReportRequest request, BackendFactory backends, const QString& folder,
                 QWidget* parent);

    void save() override;
    void reject() override; ///< Cancels the report in progress; otherwise closes the dialog.

private:
    void showProgress(const QString& part, double fraction);
    void set(const ModelReportPtr& report);
    void setPage();
    void finish(const QByteArray& bytes);
    void stop(const QString& sentence);
    void setWriting(bool writing);

    ReportRequest m_request;
    BackendFactory m_backends;
    bool m_writing = false;
    ModelReportPtr m_report;
    std::unique_ptr<ReportPdf> m_pdf; ///< Set while pages are laid out, one per event.
    QTimer m_pages;
    QCheckBox* m_ablation = nullptr;
    QProgressBar* m_bar = nullptr;
    TextLabel* m_part = nullptr;
    ReportWorker m_worker;
};

} // namespace headscope::ui
