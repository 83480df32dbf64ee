#pragma once

#include <QObject>

namespace headscope::ui {

class MessageBar;
class Session;
enum class MessageKind;

/// Shows messages until they are no longer so: those of the session until another model is open,
/// notes until the document changes or another file is opened.
class SessionMessages : public QObject
{
    Q_OBJECT

public:
    SessionMessages(Session& session, MessageBar& messages);

    void note(MessageKind kind, const QString& sentence); ///< Shows a note.
    void endNote();                                       ///< Hides the note, if it is shown.

private:
    void say(MessageKind kind, const QString& sentence);
    void followModel();

    Session& m_session;
    MessageBar& m_messages;
    QString m_reported;
    QString m_noted;
};

} // namespace headscope::ui
