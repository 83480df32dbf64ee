#include "ui/session/chat/chat_command.h"

#include "ui/session/session_document.h"

#include <QCoreApplication>

namespace headscope::ui {

ChatCommand::ChatCommand(SessionDocument& document, const Chat& chat, const QString& name)
    : QUndoCommand(name)
    , m_document(document)
    , m_before(document.chat())
    , m_after(chat)
{
}

std::unique_ptr<ChatCommand> ChatCommand::typing(SessionDocument& document, int turn,
                                                 const std::string& content)
{
    Chat chat = document.chat();
    std::string& text = chat.input.turns.at(static_cast<std::size_t>(turn)).content;
    const QString before = QString::fromStdString(text);
    text = content;
    auto command = std::make_unique<ChatCommand>(
        document, chat, QCoreApplication::translate("ChatCommand", "typing in the chat"));
    command->m_turn = turn;
    command->m_step.emplace(before, QString::fromStdString(content));
    return command;
}

std::unique_ptr<ChatCommand> ChatCommand::reply(SessionDocument& document, const Chat& chat,
                                                int reply)
{
    auto command = std::make_unique<ChatCommand>(
        document, chat, QCoreApplication::translate("ChatCommand", "reply of the model"));
    command->m_reply = reply;
    return command;
}

void ChatCommand::undo()
{
    m_document.applyChat(m_before);
}

void ChatCommand::redo()
{
    m_document.applyChat(m_after);
}

bool ChatCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const ChatCommand*>(other);
    const bool sameReply = m_reply >= 0 && m_reply == next->m_reply;
    const bool sameTurn = m_turn >= 0 && m_turn == next->m_turn;
    if (!sameReply && !(sameTurn && m_step->extend(*next->m_step)))
        return false;
    m_after = next->m_after;
    return true;
}

} // namespace headscope::ui
