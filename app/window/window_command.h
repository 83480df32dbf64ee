#pragma once

#include "app/commands/command.h"
#include "ui/window/frame/application.h"

#include <QSize>

namespace headscope::app {

/// Adds the options of `headscope` without a subcommand, and the callback that opens the window.
void addWindowOptions(CLI::App& app, CommandContext& context);

/// Devices and models for the window; views have no other access to the application.
ui::ApplicationServices windowServices(CommandContext& context);

/// Parses a size such as "1440x900". Throws CLI::ValidationError.
QSize parseSize(const std::string& text);

/// For commands that only draw: lets Qt run without a display if there is none, and silences its
/// warnings.
void drawWithoutDisplay();

} // namespace headscope::app
