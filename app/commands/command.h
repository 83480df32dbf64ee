#pragma once

#include "core/attention/backend_registry.h"
#include "core/model/pass/tracer.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace headscope::app {

/// What every subcommand may use. Lives as long as the process.
class CommandContext
{
public:
    CommandContext(int& argc, char** argv) : m_argc(argc), m_argv(argv) {}

    /// The devices of this machine, looked for at the first call.
    const BackendRegistry& registry();

    int& argc() { return m_argc; } ///< for Qt, which takes its own options out

    char** argv() { return m_argv; }

private:
    int& m_argc;
    char** m_argv;
    std::optional<BackendRegistry> m_registry;
};

/// CLI11 reads "[a, b]" as a list. Texts of a command that takes several, "[CLS]" among them, come
/// with a mark before such brackets: the text as it was typed.
std::string withoutMark(const std::string& text);

/// Each subcommand is one file and one function of this shape: it adds itself to `app`, and its
/// callback does the work. Results go to standard output, progress and messages to standard error;
/// a failure is a thrown Error, which the command line prints as one line.
void addTokenizeCommand(CLI::App& app, CommandContext& context);
void addTraceCommand(CLI::App& app, CommandContext& context);
void addRenderCommand(CLI::App& app, CommandContext& context);
void addInspectCommand(CLI::App& app, CommandContext& context);
void addTrainCommand(CLI::App& app, CommandContext& context);
void addRunsCommand(CLI::App& app, CommandContext& context);
void addGenerateCommand(CLI::App& app, CommandContext& context);
void addDevicesCommand(CLI::App& app, CommandContext& context);
void addModelsCommand(CLI::App& app, CommandContext& context);
void addLearnCommand(CLI::App& app, CommandContext& context);
void addBenchCommand(CLI::App& app, CommandContext& context);
void addReferenceCommand(CLI::App& app, CommandContext& context);

/// --model and --device, the same words everywhere.
void addModelOption(CLI::App& command, std::string& model);
void addDeviceOption(CLI::App& command, std::string& device);

} // namespace headscope::app
