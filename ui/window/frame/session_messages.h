#pragma once

#include <QObject>
#include <QString>

namespace headscope::ui {

class MessageBar;
class Session;
enum class MessageKind;

/// Shows messages until they are no longer so: those of the session until another model is open, of
/// a failed forward pass until one succeeds, notes until the document changes or another file is
/// opened, warnings until they are ended.
class SessionMessages : public QObject
{
    Q_OBJECT

public:
    SessionMessages(Session& session, MessageBar& messages);

    void note(MessageKind kind, const QString& sentence); ///< Shows a note.
    void endNote();                                       ///< Hides the note, if it is shown.
    void warn(const QString& sentence);                   ///< Shows a warning.
    void endWarning();                                    ///< Hides the warning, if it is shown.

private:
    void say(MessageKind kind, const QString& sentence);
    void end(QString& sentence);
    void followModel();

    Session& m_session;
    MessageBar& m_messages;
    QString m_reported;
    QString m_failed; ///< Error of the last forward pass.
    QString m_noted;
    QString m_warned;
};

} // namespace headscope::ui
