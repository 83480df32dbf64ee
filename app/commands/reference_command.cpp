#include "app/commands/command.h"
#include "app/console.h"
#include "app/reference/completions.h"
#include "app/reference/man_page.h"

#include <memory>

namespace headscope::app {

namespace {

std::string referenceText(const CLI::App& app, const std::string& format)
{
    const CommandDescription program = describeCommand(app);
    if (format == "bash")
        return bashCompletion(program);
    if (format == "zsh")
        return zshCompletion(program);
    if (format == "fish")
        return fishCompletion(program);
    return manPage(program, HEADSCOPE_VERSION);
}

} // namespace

void addReferenceCommand(CLI::App& app, CommandContext&)
{
    const auto format = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "reference", "Print the manual page, or the completions of a shell, for packages");
    command->group(""); // hidden
    command->add_option("format", *format, "man, bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}));
    command->callback([&app, format] { print(referenceText(app, *format)); });
}

} // namespace headscope::app
