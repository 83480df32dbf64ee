#pragma once

#include "core/generate/generator.h"
#include "ui/session/chat/chat.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Writes the assistant's turn of the session's chat, token by token on a background thread, as one
/// undo step. Ends when the chat is edited meanwhile.
class ChatReply : public QObject
{
    Q_OBJECT

public:
    explicit ChatReply(Session& session);

    QString obstacle() const; ///< Why no reply can be written; empty otherwise.

    bool isRunning() const { return m_task.isRunning(); }

    /// Appends the turn that `generate` continues the chat with, up to the first special token.
    /// Does nothing where there is an obstacle.
    void start(const GenerationSettings& settings);
    void cancel(); ///< Stops; what is written stays.

signals:
    void changed(); ///< Emitted when isRunning() has changed.
    void failed(const QString& sentence);

private:
    void write(const std::string& text);
    void followSession();

    Session& m_session;
    Chat m_before;  ///< The chat without the reply.
    Chat m_written; ///< The chat as last written.
    int m_reply = 0;
    LatestTask m_task; // Declared last, so that its thread ends first.
};

} // namespace headscope::ui
