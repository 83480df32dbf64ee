// What the frame has to do with opening models: their progress, what is known about their weights,
// how to get one.
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/actions/model_actions.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/audit_dialog.h"
#include "ui/window/dialogs/get_model_dialog.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/window_texts.h"

namespace headscope::ui {

namespace {

/// The first of what there is to know, and that there is more.
QString auditSentence(const LoadAudit& audit)
{
    if (audit.warnings.empty())
        return {};
    const QString first = warningSentence(audit.warnings.front());
    const auto more = static_cast<int>(audit.warnings.size()) - 1;
    return more == 0 ? first : MainWindow::tr("%1 And %2 more.").arg(first).arg(more);
}

void bringUp(QWidget& dialog)
{
    dialog.show();
    dialog.raise();
    dialog.activateWindow();
}

} // namespace

void MainWindow::connectModels()
{
    connect(&m_session, &Session::auditChanged, this, &MainWindow::warnOfAudit);
    connect(&m_session, &Session::modelChanged, this, [this] {
        if (isAboutAudit())
            m_messages->hide(); // it was about the model before
        m_auditSentence.clear();
    });
    connect(&m_session, &Session::loadingCancelled, this, [this](const QString& name) {
        m_messages->show(MessageKind::Note,
                         tr("%1 was not opened; nothing else has changed.").arg(sourceName(name)));
    });
    connect(m_messages, &MessageBar::buttonPressed, this, [this] {
        if (isAboutAudit())
            showAudit();
    });
    m_actions->on("model.about", this, &MainWindow::showAudit);
    m_actions->on("model.get", this, &MainWindow::showModelList);
    m_actions->on("model.openFile", m_files, &WindowFiles::chooseModelFile);
    m_actions->on("model.openFolder", m_files, &WindowFiles::chooseModelFolder);
    warnOfAudit();
}

bool MainWindow::isAboutAudit() const
{
    return !m_auditSentence.isEmpty() && m_messages->sentence() == m_auditSentence;
}

void MainWindow::warnOfAudit()
{
    const QString sentence =
        m_session.models().audit() ? auditSentence(*m_session.models().audit()) : QString();
    if (sentence == m_auditSentence)
        return;
    if (isAboutAudit())
        m_messages->hide();
    m_auditSentence = sentence;
    if (!sentence.isEmpty())
        m_messages->show(MessageKind::Warning, sentence, tr("About this model\u2026"));
}

void MainWindow::showAudit()
{
    auto* open = findChild<AuditDialog*>();
    bringUp(open ? *open : *new AuditDialog(m_session, this));
}

void MainWindow::showModelList()
{
    if (auto* open = findChild<GetModelDialog*>())
        return bringUp(*open);
    auto* dialog = new GetModelDialog(m_modelActions->models(), this);
    connect(dialog, &GetModelDialog::modelWanted, this, &MainWindow::openPath);
    bringUp(*dialog);
}

} // namespace headscope::ui
