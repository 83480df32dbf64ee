#pragma once

#include <QObject>

namespace headscope::ui {

class MessageBar;
class Session;
enum class MessageKind;

/// Shows the session's messages until another model makes them obsolete.
class SessionMessages : public QObject
{
    Q_OBJECT

public:
    SessionMessages(Session& session, MessageBar& messages);

private:
    void say(MessageKind kind, const QString& sentence);
    void followModel();

    Session& m_session;
    MessageBar& m_messages;
    QString m_reported;
};

} // namespace headscope::ui
