#pragma once

#include "app/commands/bench_options.h"
#include "core/analysis/report/model_report.h"

#include <filesystem>
#include <span>
#include <string>

/// Parts of the command line that need Qt. app/window/ implements them; a build without a window
/// (-DHEADSCOPE_WINDOW=OFF) uses app/without_window/ instead, which reports that.
namespace headscope::app {

/// Adds `render`, and the options of `headscope` without a subcommand.
void addWindowCommands(CLI::App& app, CommandContext& context);

std::span<const Bench> windowBenches();

/// Reason why saveReport cannot write such a file; empty if it can.
std::string whyNoReport(const std::string& path);

/// Writes F.pdf or F.json atomically. Throws Error.
void saveReport(const ModelReport& report, const std::filesystem::path& path,
                CommandContext& context);

} // namespace headscope::app
