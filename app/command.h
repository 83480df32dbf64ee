#pragma once

#include "core/attention/backend_registry.h"

#include <CLI/CLI.hpp>

namespace headscope::app {

/// What every subcommand may use. Lives as long as the process.
struct CommandContext
{
    BackendRegistry registry;
};

/// Each subcommand is one file and one function of this shape: it adds itself to `app`, and its callback does
/// the work. Results go to standard output, progress and messages to standard error; a failure is a thrown
/// Error, which main prints as one line.
void addTokenizeCommand(CLI::App& app, CommandContext& context);
void addTraceCommand(CLI::App& app, CommandContext& context);
void addRenderCommand(CLI::App& app, CommandContext& context);
void addInspectCommand(CLI::App& app, CommandContext& context);
void addTrainCommand(CLI::App& app, CommandContext& context);
void addGenerateCommand(CLI::App& app, CommandContext& context);
void addDevicesCommand(CLI::App& app, CommandContext& context);
void addBenchCommand(CLI::App& app, CommandContext& context);

} // namespace headscope::app
