#pragma once

#include "app/reference/command_description.h"

namespace headscope::app {

/// The manual page, section 1, in the man macros of roff.
std::string manPage(const CommandDescription& program, const std::string& version);

} // namespace headscope::app
