#include "ui/window/chat/chat_actions.h"

#include "ui/pages/next_token/next_token_page.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/chat/chat_editor.h"
#include "ui/window/frame/document_bar.h"
#include "ui/window/workspaces/workspaces.h"

namespace headscope::ui {

ChatActions::ChatActions(WindowActions& actions, Session& session, DocumentBar& bar,
                         Workspaces& workspaces)
    : QObject(&actions)
    , m_actions(actions)
    , m_session(session)
    , m_bar(bar)
    , m_workspaces(workspaces)
{
    actions.on("edit.chat", &bar, &DocumentBar::switchChat);
    actions.on("edit.addTurn", &bar.chat(), &ChatEditor::addTurn);
    actions.on("edit.reply", this, &ChatActions::writeReply);
    connect(&bar, &DocumentBar::replyWanted, this, &ChatActions::writeReply);
    connect(&session, &Session::textChanged, this, &ChatActions::refresh);
    connect(&session, &Session::modelChanged, this, &ChatActions::refresh);
    refresh();
}

void ChatActions::refresh()
{
    const QString why = whyNoChat(m_session.models());
    const bool reads = m_session.document().readsChat();
    QAction& chat = m_actions.action("edit.chat");
    chat.setEnabled(why.isEmpty());
    chat.setChecked(reads);
    chat.setToolTip(why);
    m_actions.action("edit.addTurn").setEnabled(reads);
    m_actions.action("edit.reply").setEnabled(reads);
}

void ChatActions::writeReply()
{
    const auto& page = m_workspaces.find<NextTokenPage>();
    m_bar.chat().writeReply(page.generationSettings());
}

} // namespace headscope::ui
