#pragma once

#include "core/text/token_sequence.h"

#include <string>
#include <vector>

namespace CLI {
class Option;
class App;
} // namespace CLI

namespace headscope::app {

/// Adds an option for ids "1,2,3", each of its words a list. An empty list and anything but whole
/// decimal numbers between the commas are wrong usage.
CLI::Option* addIdsOption(CLI::App& command, const std::string& name,
                          std::vector<std::string>& words, const std::string& help);

/// Ids in the words of such an option. Throws Error naming `option` for ids outside a vocabulary of
/// `vocabularySize` tokens.
std::vector<TokenId> parseIds(const std::vector<std::string>& words, const char* option,
                              std::int64_t vocabularySize);

} // namespace headscope::app
