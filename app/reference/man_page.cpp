#include "app/reference/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace headscope::app {

namespace {

/// Text as roff prints it: a hyphen that can be copied, no escapes, no request by chance.
std::string roff(const std::string& text)
{
    std::string escaped = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char letter : text) {
        if (letter == '-')
            escaped += "\\-";
        else if (letter == '\\')
            escaped += "\\e";
        else if (letter == '\n')
            escaped += "\n.br\n";
        else
            escaped += letter;
    }
    return escaped;
}

std::string upperCase(std::string text)
{
    for (char& letter : text)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return text;
}

std::string entry(const OptionDescription& option)
{
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    if (!option.valueName.empty())
        names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", roff(option.valueName));
    std::string text = roff(option.text);
    if (!option.choices.empty())
        text += fmt::format("\n.br\nOne of: {}.",
                            roff(fmt::format("{}", fmt::join(option.choices, ", "))));
    if (!option.defaultText.empty())
        text += fmt::format("\n.br\nDefault: {}.", roff(option.defaultText));
    return fmt::format(".TP\n{}\n{}\n", names, text);
}

std::string entries(const CommandDescription& command)
{
    std::string text;
    for (const OptionDescription& option : command.positionals)
        text += entry(option);
    for (const OptionDescription& option : command.options)
        text += entry(option);
    return text;
}

std::string synopsis(const CommandDescription& command)
{
    std::string line = fmt::format("\\fB{}\\fR [\\fIoptions\\fR]", roff(command.name));
    for (const OptionDescription& positional : command.positionals)
        line += fmt::format(" [\\fI{}\\fR]", roff(positional.valueName));
    return line + "\n";
}

void addSections(std::string& page, const CommandDescription& command)
{
    for (const CommandDescription& other : command.commands) {
        page += fmt::format(".SS {}\n{}.PP\n{}\n{}", roff(other.name), synopsis(other),
                            roff(other.text), entries(other));
        addSections(page, other);
    }
}

} // namespace

std::string manPage(const CommandDescription& program, const std::string& version)
{
    std::string page = fmt::format(
        ".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
        upperCase(program.name), roff(program.name), roff(version), roff(program.name),
        roff(program.text), synopsis(program));
    if (!program.commands.empty())
        page +=
            fmt::format(".br\n\\fB{}\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n", roff(program.name));
    page +=
        ".SH DESCRIPTION\nWithout a command the window opens. With one, results go to standard output and "
        "messages to standard error.\n.SH OPTIONS\n";
    page += entries(program) + ".SH COMMANDS\n";
    addSections(page, program);
    return page +
           ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nFailed; one line on standard error says why.\n.TP\n2\n"
           "Wrong usage.\n";
}

} // namespace headscope::app
