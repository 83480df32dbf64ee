#pragma once

#include "app/commands/command.h"
#include "ui/session/session_file.h"

#include <string>
#include <vector>

namespace headscope::app {

/// What one run of the window's own session shows, and the state that brings it back.
struct SettledSession
{
    ui::Looking looking;
    ui::SessionState state;
};

/// Opens model and texts as the window would and waits for the numbers, those of further `sites`
/// (globs) included; needs a QGuiApplication. What went wrong without stopping it is noted. Throws
/// Error.
SettledSession settle(const ui::SessionState& wanted, const std::vector<std::string>& sites,
                      CommandContext& context);

/// A trace that was written to a file, without its model; what is odd about it is noted. Throws
/// FormatError.
ui::Looking lookingAtFile(const std::string& path);

} // namespace headscope::app
