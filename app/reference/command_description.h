#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// One option or positional argument of a command.
struct OptionDescription
{
    std::vector<std::string> names;   ///< "--model", "-m"; empty for a positional argument
    std::string valueName;            ///< "TEXT"; empty for a flag
    std::string text;                 ///< the help text
    std::string defaultText;          ///< empty where --help shows none
    std::vector<std::string> choices; ///< the allowed values, empty when any is
};

/// A command as its --help describes it, for documents that must agree with the program.
struct CommandDescription
{
    std::string name; ///< with the names of its parents: "headscope tokenize train"
    std::string text;
    std::vector<OptionDescription> positionals;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands; ///< subcommands, without hidden ones

    /// The last word of `name`.
    std::string ownName() const;
};

/// Reads the definition of a command line. Hidden options and subcommands are left out.
CommandDescription describeCommand(const CLI::App& app);

} // namespace headscope::app
