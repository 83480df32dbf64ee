#pragma once

#include "core/text/chat/chat_input.h"

#include <QString>

namespace headscope::ui {

class OpenModels;

/// The chat of a document, which stays while the model reads the sentence instead.
struct Chat
{
    bool isOn = false; ///< The model reads the chat in place of the sentence, if it reads chats.
    ChatInput input;

    friend bool operator==(const Chat&, const Chat&) = default;
};

/// Why the open model reads no chats, as one sentence; empty for one that does.
QString whyNoChat(const OpenModels& models);

/// Name of a role in the window: "User".
QString roleName(const std::string& role);

} // namespace headscope::ui
