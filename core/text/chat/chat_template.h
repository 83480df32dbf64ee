#pragma once

#include "core/text/chat/turn_text.h"

#include <nlohmann/json.hpp>

#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headscope {

struct TemplateBody;

/// What a chat is rendered with, besides its messages.
struct ChatOptions
{
    bool addGenerationPrompt = true; ///< Ends with the beginning of the assistant's turn.
    nlohmann::ordered_json tools;    ///< Functions that the model may call; null: none.
    /// Further names that a template may ask for, such as enable_thinking.
    std::map<std::string, nlohmann::ordered_json> variables;
    std::optional<std::time_t> now; ///< Date that templates write; default: that of today.
};

/// The chat template of a model: Jinja, as transformers' apply_chat_template() renders it, with
/// limits on time, depth and output. Immutable, so any thread may use it.
class ChatTemplate
{
public:
    /// Throws Error naming `name` and the line. `tokens` are the names of special tokens, such as
    /// bos_token.
    ChatTemplate(std::string_view source, std::string name,
                 std::map<std::string, std::string> tokens = {});

    /// Text of a chat: messages [{"role", "content"}, ...]. Throws Error for messages of another
    /// form, and for what the template refuses itself.
    std::string render(const nlohmann::ordered_json& messages,
                       const ChatOptions& options = {}) const;

    /// The same text, in which every byte knows the message that it comes from. Roles are the
    /// template's: a message's own are its content, names, calls and reasoning.
    TurnText renderTurns(const nlohmann::ordered_json& messages,
                         const ChatOptions& options = {}) const;

private:
    std::string m_name;
    std::map<std::string, std::string> m_tokens;
    std::shared_ptr<const TemplateBody> m_body;
};

} // namespace headscope
