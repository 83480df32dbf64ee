#pragma once

#include "core/io/open_model.h"

#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace headscope::app {

CLI::Option* addChatOption(CLI::App& command, std::string& file);

/// Text of the chat in `file`, as the template of the opened model writes it. Throws Error for a
/// model without one.
std::string chatText(const std::string& file, const LoadedModel& model);

/// The tokens of that text: the template writes special tokens itself.
TokenSequence encodeChat(const std::string& file, const LoadedModel& model);

} // namespace headscope::app
