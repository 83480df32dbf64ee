#pragma once

#include "core/text/chat/chat_template.h"

#include <filesystem>

namespace headscope {

class GgufFile;

/// Chat template of a model: chat_template.jinja or tokenizer_config.json of a Hugging Face folder,
/// or the metadata of a GGUF file. Of several named ones, "tool_use" where `usesTools`, else
/// "default". Throws Error for a model without one.
ChatTemplate readChatTemplate(const std::filesystem::path& model, bool usesTools = false);

/// The same, of a GGUF file that is open.
ChatTemplate readChatTemplate(const GgufFile& file, const std::filesystem::path& path);

/// A chat as a file holds it: a list of turns, or {"messages", "tools", "add_generation_prompt"}
/// with further names for the template. Throws Error naming `where`.
struct ChatFile
{
    nlohmann::ordered_json messages;
    ChatOptions options;
};

ChatFile readChat(const std::filesystem::path& path);

} // namespace headscope
