#include "app/chat_source.h"

#include "core/io/chat_template_file.h"

#include <CLI/CLI.hpp>

namespace headscope::app {

CLI::Option* addChatOption(CLI::App& command, std::string& file)
{
    return command.add_option("--chat", file,
                              "A chat in place of a text, through the model's template: a JSON "
                              "file [{\"role\", \"content\"}, ...] or {\"messages\", \"tools\"}");
}

std::string chatText(const std::string& file, const LoadedModel& model)
{
    const ChatFile chat = readChat(file);
    return readChatTemplate(model.name, !chat.options.tools.is_null())
        .render(chat.messages, chat.options);
}

TokenSequence encodeChat(const std::string& file, const LoadedModel& model)
{
    return model.tokenizer->encode(chatText(file, model), false);
}

} // namespace headscope::app
