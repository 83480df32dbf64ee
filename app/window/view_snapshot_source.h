#pragma once

#include "app/commands/command.h"
#include "ui/session/session_file.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Numbers of a session opened like in the window, and the state that restores it.
struct SettledSession
{
    ui::ViewSnapshot view;
    ui::SessionState state;
};

/// Opens model and texts as the window would and waits for the numbers, including those of further
/// `sites` (globs); needs a QGuiApplication. Problems that do not stop it are noted. Throws Error.
SettledSession settle(const ui::SessionState& wanted, const std::vector<std::string>& sites,
                      CommandContext& context);

/// Reads a trace from a file, without its model; problems that do not stop it are noted. Throws
/// FormatError.
ui::ViewSnapshot viewOfFile(const std::string& path);

} // namespace headscope::app
