#pragma once

#include "ui/session/changes/undo_commands.h"
#include "ui/session/chat/chat.h"

namespace headscope::ui {

/// Replaces the chat. Typing in a turn is merged into steps, see TypingStep; a reply that is being
/// written is one step.
class ChatCommand : public QUndoCommand
{
public:
    /// Any edit, as a step of its own.
    ChatCommand(SessionDocument& document, const Chat& chat, const QString& name);

    /// Typing in one turn.
    static std::unique_ptr<ChatCommand> typing(SessionDocument& document, int turn,
                                               const std::string& content);

    /// Text of the reply number `reply`, which extends the step of that reply.
    static std::unique_ptr<ChatCommand> reply(SessionDocument& document, const Chat& chat,
                                              int reply);

    void undo() override;
    void redo() override;

    int id() const override { return 3; }

    bool mergeWith(const QUndoCommand* other) override;

private:
    SessionDocument& m_document;
    Chat m_before;
    Chat m_after;
    int m_turn = -1;  ///< Turn that is typed in, or -1.
    int m_reply = -1; ///< Number of the reply, or -1.
    std::optional<TypingStep> m_step;
};

} // namespace headscope::ui
