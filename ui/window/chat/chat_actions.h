#pragma once

#include <QObject>

namespace headscope::ui {

class DocumentBar;
class Session;
class WindowActions;
class Workspaces;

/// Actions of the chat: the switch, a new turn, and the model's reply, which is sampled with the
/// settings of the Next token page.
class ChatActions : public QObject
{
    Q_OBJECT

public:
    ChatActions(WindowActions& actions, Session& session, DocumentBar& bar, Workspaces& workspaces);

private:
    void refresh();
    void writeReply();

    WindowActions& m_actions;
    Session& m_session;
    DocumentBar& m_bar;
    Workspaces& m_workspaces;
};

} // namespace headscope::ui
