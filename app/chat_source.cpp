#include "app/chat_source.h"

#include "core/base/error.h"
#include "core/io/chat_template_file.h"
#include "core/text/chat/chat_input.h"

#include <CLI/CLI.hpp>

namespace headscope::app {

CLI::Option* addChatOption(CLI::App& command, std::string& file)
{
    return command.add_option("--chat", file,
                              "A chat in place of a text, through the model's template: a JSON "
                              "file [{\"role\", \"content\"}, ...] or {\"messages\", \"tools\"}");
}

namespace {

TurnText renderedChat(const std::string& file, const LoadedModel& model)
{
    const ChatFile chat = readChat(file);
    return readChatTemplate(model.name, !chat.options.tools.is_null())
        .renderTurns(chat.messages, chat.options);
}

} // namespace

std::string chatText(const std::string& file, const LoadedModel& model)
{
    return renderedChat(file, model).bytes();
}

std::string chatAsText(const std::string& file, const LoadedModel& model)
{
    const std::string text = chatText(file, model);
    const TokenSequence tokens = model.tokenizer->encode(text, false);
    std::vector<std::string> candidates{text};
    if (tokens.size() > 0) // begin-of-text, written by the template and added by the tokenizer
        candidates.push_back(text.substr(tokens.tokens.front().bytes.end));
    for (std::string& candidate : candidates)
        if (model.tokenizer->encode(candidate).ids() == tokens.ids())
            return std::move(candidate);
    throw Error("the tokenizer adds special tokens that the chat template does not write", file,
                "Give the chat to trace or generate, which read its tokens");
}

std::vector<std::string> chatRoles(const std::string& file)
{
    std::vector<std::string> roles;
    for (const auto& message : readChat(file).messages)
        roles.push_back(message.value("role", std::string()));
    return roles;
}

TokenSequence encodeChat(const std::string& file, const LoadedModel& model)
{
    return encodeTurns(*model.tokenizer, renderedChat(file, model));
}

} // namespace headscope::app
