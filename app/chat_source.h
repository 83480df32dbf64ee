#pragma once

#include "core/io/open_model.h"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace headscope::app {

CLI::Option* addChatOption(CLI::App& command, std::string& file);

/// Text of the chat in `file`, as the template of the opened model writes it. Throws Error for a
/// model without one.
std::string chatText(const std::string& file, const LoadedModel& model);

/// A text that the model's tokenizer reads as the tokens of that chat, for what takes a text only.
/// Throws Error for a tokenizer that adds other special tokens than the template.
std::string chatAsText(const std::string& file, const LoadedModel& model);

/// Roles of the chat's messages, in order: those of the turns of encodeChat().
std::vector<std::string> chatRoles(const std::string& file);

/// The tokens of that text: the template writes special tokens itself.
TokenSequence encodeChat(const std::string& file, const LoadedModel& model);

} // namespace headscope::app
