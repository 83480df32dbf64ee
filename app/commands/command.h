#pragma once

#include "core/attention/backend_registry.h"
#include "core/model/pass/tracer.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace headscope::app {

/// Services for every subcommand. Lives as long as the process.
class CommandContext
{
public:
    CommandContext(int& argc, char** argv) : m_argc(argc), m_argv(argv) {}

    /// The devices of this machine, detected at the first call. PoCL's driver, where it is the only
    /// one, is loaded once its device is used.
    const BackendRegistry& registry();

    /// The devices with all their facts; loads every driver.
    static BackendRegistry allDevices();

    int& argc() { return m_argc; } ///< For Qt, which removes its own options.

    char** argv() { return m_argv; }

private:
    int& m_argc;
    char** m_argv;
    std::optional<BackendRegistry> m_registry;
};

/// CLI11 reads "[a, b]" as a list. Texts of a command that takes several, such as "[CLS]", are
/// passed with a mark before such brackets; returns the text as typed.
std::string withoutMark(const std::string& text);

/// Each subcommand is one file and one function of this form: it adds itself to `app`, and its
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
void addHelpCommand(CLI::App& app, CommandContext& context);
void addBenchCommand(CLI::App& app, CommandContext& context);
void addReferenceCommand(CLI::App& app, CommandContext& context);

/// Options --model and --device, with the same help everywhere.
void addModelOption(CLI::App& command, std::string& model);
void addDeviceOption(CLI::App& command, std::string& device);

} // namespace headscope::app
