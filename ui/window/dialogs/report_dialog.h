#pragma once

#include "ui/pages/report/report_file.h"
#include "ui/window/dialogs/growing_dialog.h"
#include "ui/workers/analysis/report_worker.h"

#include <QTimer>

class QCheckBox;
class QFormLayout;
class QLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace headscope::ui {

class ReplaceQuestion;
class SegmentBar;
class Session;
class TextLabel;

/// Request for the report that `headscope inspect --report` makes, from the model and text of the
/// window's variant A. Throws Error when there is nothing to report.
ReportRequest reportRequest(const Session& session);

/// Asks for a file, creates the report on a worker thread with progress and Cancel (Esc), and
/// writes it. Not modal; errors are shown inside.
class ReportDialog : public GrowingDialog
{
    Q_OBJECT

public:
    /// Proposes a new file in `folder`.
    ReportDialog(ReportRequest request, BackendFactory backends, const QString& folder,
                 QWidget* parent);

    QString path() const;
    void setPath(const QString& path); ///< Sets the file's path; its extension selects the format.
    QString problem() const; ///< Reason why nothing can be written; empty when there is none.

    QPushButton& cancelButton() { return *m_cancel; }

    void reject() override; ///< Cancels the report in progress; otherwise closes the dialog.

signals:
    void saved(const QString& path);

private:
    void addChoices(QFormLayout& form, const QString& folder);
    void addButtons(QLayout& column);
    void chooseFormat(int index);
    void browse();
    void write();
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
    SegmentBar* m_format = nullptr;
    QCheckBox* m_ablation = nullptr;
    QLineEdit* m_path = nullptr;
    QPushButton* m_browse = nullptr;
    QPushButton* m_write = nullptr;
    QPushButton* m_cancel = nullptr;
    QProgressBar* m_bar = nullptr;
    TextLabel* m_part = nullptr;
    TextLabel* m_problem = nullptr;
    ReplaceQuestion* m_question = nullptr;
    ReportWorker m_worker;
};

} // namespace headscope::ui
