#pragma once

#include <QObject>

namespace headscope::ui {

class MessageBar;
class Session;
enum class MessageKind;

/// What the session has to say, until another model makes it untrue.
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
    QString m_said;
};

} // namespace headscope::ui
