#pragma once

#include "app/commands/command.h"
#include "ui/window/frame/application.h"

#include <QSize>

namespace headscope::app {

/// What `headscope` takes without a subcommand, and the callback that opens the window.
void addWindowOptions(CLI::App& app, CommandContext& context);

/// Devices and models for the window; views get no more of the application than this.
ui::ApplicationServices windowServices(CommandContext& context);

/// "1440x900". Throws CLI::ValidationError.
QSize parseSize(const std::string& text);

/// For commands that only draw: Qt needs no display where there is none, and keeps its warnings.
void drawWithoutDisplay();

} // namespace headscope::app
