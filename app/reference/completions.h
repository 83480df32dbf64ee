#pragma once

#include "app/reference/command_description.h"

namespace headscope::app {

/// Completion scripts of three shells: commands, options, allowed values; files elsewhere.
std::string bashCompletion(const CommandDescription& program);
std::string zshCompletion(const CommandDescription& program);
std::string fishCompletion(const CommandDescription& program);

} // namespace headscope::app
