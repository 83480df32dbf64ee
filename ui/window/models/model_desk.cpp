#include "ui/window/models/model_desk.h"

#include "ui/session/session.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/audit_dialog.h"
#include "ui/window/dialogs/get_model_dialog.h"
#include "ui/window/frame/window_texts.h"

namespace headscope::ui {

namespace {

/// First load warning, and the number of others.
QString auditSentence(const LoadAuditPtr& audit)
{
    if (!audit || audit->warnings.empty())
        return {};
    const QString first = warningSentence(audit->warnings.front());
    const auto more = static_cast<int>(audit->warnings.size()) - 1;
    return more == 0 ? first : ModelDesk::tr("%1 Further warnings: %2.").arg(first).arg(more);
}

void bringUp(QWidget& dialog)
{
    dialog.show();
    dialog.raise();
    dialog.activateWindow();
}

} // namespace

ModelDesk::ModelDesk(QWidget& window, Session& session, WindowActions& actions,
                     MessageBar& messages, ModelSearch& models)
    : QObject(&window)
    , m_window(window)
    , m_session(session)
    , m_messages(messages)
    , m_models(models)
{
    connect(&session, &Session::auditChanged, this, &ModelDesk::warnOfAudit);
    connect(&session, &Session::modelChanged, this, &ModelDesk::followModel);
    connect(&session, &Session::loadingCancelled, this, [this](const QString& name) {
        m_messages.show(
            MessageKind::Note,
            tr("%1 was not opened; the current model is unchanged.").arg(sourceName(name)));
    });
    connect(&messages, &MessageBar::buttonPressed, this, [this] {
        if (isAboutAudit())
            showAudit();
    });
    actions.on("model.about", this, &ModelDesk::showAudit);
    actions.on("model.get", this, &ModelDesk::showModelList);
    warnOfAudit();
}

bool ModelDesk::isAboutAudit() const
{
    return !m_auditSentence.isEmpty() && m_messages.sentence() == m_auditSentence;
}

void ModelDesk::followModel()
{
    if (isAboutAudit())
        m_messages.hide(); // the message was about the previous model
    m_auditSentence.clear();
}

void ModelDesk::warnOfAudit()
{
    const QString sentence = auditSentence(m_session.models().audit());
    if (sentence == m_auditSentence)
        return;
    followModel();
    m_auditSentence = sentence;
    if (!sentence.isEmpty())
        m_messages.show(MessageKind::Warning, sentence, tr("About this model\u2026"));
}

void ModelDesk::showAudit()
{
    auto* open = m_window.findChild<AuditDialog*>();
    bringUp(open ? *open : *new AuditDialog(m_session, &m_window));
}

void ModelDesk::showModelList()
{
    if (auto* open = m_window.findChild<GetModelDialog*>())
        return bringUp(*open);
    auto* dialog = new GetModelDialog(m_models, &m_window);
    connect(dialog, &GetModelDialog::modelWanted, this, &ModelDesk::fileWanted);
    bringUp(*dialog);
}

} // namespace headscope::ui
