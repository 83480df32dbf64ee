#pragma once

#include "app/commands/bench_options.h"
#include "core/analysis/report/model_report.h"

#include <filesystem>
#include <span>
#include <string>

/// What the command line needs Qt for. app/window/ has it; a build without a window
/// (-DHEADSCOPE_WINDOW=OFF) has app/without_window/ instead, which says so.
namespace headscope::app {

/// `render`, and what `headscope` takes without a subcommand.
void addWindowCommands(CLI::App& app, CommandContext& context);

std::span<const Bench> windowBenches();

/// Empty when saveReport can write such a file, else why not.
std::string whyNoReport(const std::string& path);

/// Writes F.pdf or F.json atomically. Throws Error.
void saveReport(const ModelReport& report, const std::filesystem::path& path,
                CommandContext& context);

} // namespace headscope::app
