#pragma once

#include "app/command.h"
#include "ui/window/application.h"

namespace headscope::app {

/// What `headscope` takes without a subcommand, and the callback that opens the window.
void addWindowOptions(CLI::App& app, CommandContext& context);

/// Devices and models for the window; views get no more of the application than this.
ui::ApplicationServices windowServices(CommandContext& context);

/// Lets Qt draw without a display where there is none.
void allowNoDisplay();

} // namespace headscope::app
