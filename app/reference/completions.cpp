#include "app/reference/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

namespace headscope::app {

namespace {

void forEachCommand(const CommandDescription& command,
                    const std::function<void(const CommandDescription&)>& visit)
{
    visit(command);
    for (const CommandDescription& other : command.commands)
        forEachCommand(other, visit);
}

std::vector<std::string> optionNames(const CommandDescription& command)
{
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::vector<std::string> commandNames(const CommandDescription& command)
{
    std::vector<std::string> names;
    for (const CommandDescription& other : command.commands)
        names.push_back(other.ownName());
    return names;
}

/// Help as one line, in which each letter of `special` has a backslash.
std::string oneLineText(const std::string& text, const std::string& special)
{
    std::string line;
    for (const char letter : text) {
        if (special.find(letter) != std::string::npos)
            line += '\\';
        line += letter == '\n' ? ' ' : letter;
    }
    return line;
}

/// Inside single quotes of bash and zsh.
std::string shellQuoted(const std::string& text)
{
    std::string escaped;
    for (const char letter : text)
        escaped += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return "'" + escaped + "'";
}

// ------------------------------------------------------------------------------------------- bash

/// The names of an option behind those of its command: "'headscope render --view'".
std::string bashPatterns(const CommandDescription& command, const OptionDescription& option)
{
    std::string patterns;
    for (const std::string& name : option.names)
        patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", command.name, name);
    return patterns;
}

std::string bashValues(const CommandDescription& program)
{
    std::string cases;
    forEachCommand(program, [&](const CommandDescription& command) {
        for (const OptionDescription& option : command.options)
            if (!option.choices.empty())
                cases += fmt::format(
                    "        {}) words={}; return 0 ;;\n", bashPatterns(command, option),
                    shellQuoted(fmt::format("{}", fmt::join(option.choices, " "))));
            else if (!option.valueName.empty())
                cases += fmt::format("        {}) return 0 ;;\n", bashPatterns(command, option));
    });
    return cases;
}

std::string bashWords(const CommandDescription& program)
{
    std::string cases;
    forEachCommand(program, [&](const CommandDescription& command) {
        cases += fmt::format("        '{}') options='{}'; commands='{}' ;;\n", command.name,
                             fmt::join(optionNames(command), " "),
                             fmt::join(commandNames(command), " "));
    });
    return cases;
}

std::string bashCommands(const CommandDescription& program)
{
    std::string patterns;
    forEachCommand(program, [&](const CommandDescription& command) {
        if (&command != &program)
            patterns += fmt::format("{}'{}'", patterns.empty() ? "" : " | ", command.name);
    });
    return patterns;
}

// -------------------------------------------------------------------------------------------- zsh

std::string zshName(const CommandDescription& command)
{
    std::string name = "_";
    for (const char letter : command.name)
        name += letter == ' ' || letter == '-' ? '_' : letter;
    return name;
}

std::string zshOption(const OptionDescription& option)
{
    std::string lines;
    for (const std::string& name : option.names) {
        std::string spec = fmt::format("*{}[{}]", name, oneLineText(option.text, "[]\\"));
        if (!option.choices.empty())
            spec += fmt::format(":{}:({})", oneLineText(option.valueName, ":\\"),
                                fmt::join(option.choices, " "));
        else if (!option.valueName.empty())
            spec += fmt::format(":{}:_files", oneLineText(option.valueName, ":\\"));
        lines += fmt::format("        {} \\\n", shellQuoted(spec));
    }
    return lines;
}

std::string zshCommandList(const CommandDescription& command)
{
    std::string lines;
    for (const CommandDescription& other : command.commands)
        lines += fmt::format("                {}\n",
                             shellQuoted(other.ownName() + ":" + oneLineText(other.text, ":\\")));
    return lines;
}

std::string zshDispatch(const CommandDescription& command)
{
    std::string lines;
    for (const CommandDescription& other : command.commands)
        lines += fmt::format("                {}) {} ;;\n", other.ownName(), zshName(other));
    return lines;
}

std::string zshFunction(const CommandDescription& command)
{
    std::string options;
    for (const OptionDescription& option : command.options)
        options += zshOption(option);
    if (command.commands.empty())
        return fmt::format("{}() {{\n    _arguments \\\n{}        '*:file:_files'\n}}\n\n",
                           zshName(command), options);
    return fmt::format(R"({}() {{
    local curcontext="$curcontext" state line
    local -a commands
    typeset -A opt_args
    _arguments -C \
{}        '1: :->command' \
        '*:: :->arguments'
    case $state in
        command)
            commands=(
{}            )
            _describe -t commands command commands
            _files ;;
        arguments)
            case $line[1] in
{}                *) _files ;;
            esac ;;
    esac
}}

)",
                       zshName(command), options, zshCommandList(command), zshDispatch(command));
}

// ------------------------------------------------------------------------------------------- fish

/// Inside single quotes of fish.
std::string fishQuoted(const std::string& text)
{
    return "'" + oneLineText(text, "'\\") + "'";
}

/// "seen a" and "not seen a b", as a condition of fish has them.
std::string fishSeen(bool isSeen, const std::vector<std::string>& words)
{
    return fmt::format("{}__fish_seen_subcommand_from {}", isSeen ? "" : "not ",
                       fmt::join(words, " "));
}

/// Commands of `program` with a subcommand `name`: behind those the word is not a command of its own.
std::vector<std::string> otherParents(const CommandDescription& program, const std::string& name)
{
    std::vector<std::string> parents;
    for (const CommandDescription& command : program.commands)
        for (const CommandDescription& other : command.commands)
            if (other.ownName() == name)
                parents.push_back(command.ownName());
    return parents;
}

/// True while the words before the cursor belong to `command` and to none of its subcommands.
std::string fishCondition(const CommandDescription& program, const CommandDescription& command)
{
    std::vector<std::string> parts;
    const std::vector<std::string> words = CLI::detail::split(command.name, ' ');
    for (std::size_t index = 1; index < words.size(); ++index)
        parts.push_back(fishSeen(true, {words[index]}));
    if (words.size() == 2)
        if (const auto parents = otherParents(program, words[1]); !parents.empty())
            parts.push_back(fishSeen(false, parents));
    if (!command.commands.empty())
        parts.push_back(fishSeen(false, commandNames(command)));
    return fmt::format("{}", fmt::join(parts, "; and "));
}

std::string fishOption(const std::string& begin, const OptionDescription& option)
{
    std::string line = begin;
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.choices.empty())
        line +=
            fmt::format(" -x -a {}", fishQuoted(fmt::format("{}", fmt::join(option.choices, " "))));
    else if (!option.valueName.empty())
        line += " -r -F";
    return fmt::format("{} -d {}\n", line, fishQuoted(option.text));
}

} // namespace

std::string bashCompletion(const CommandDescription& program)
{
    return fmt::format(R"(# bash completion of {0}, written by `{0} reference bash`
_{0}_value() {{ # the values of an option, or false where the word before takes none
    case "$1" in
{1}    esac
    return 1
}}
_{0}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command='{0}' words='' options='' commands='' index
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; ++index)); do
        case "$command ${{COMP_WORDS[index]}}" in
            {2}) command+=" ${{COMP_WORDS[index]}}" ;;
            *) ! _{0}_value "$command ${{COMP_WORDS[index]}}" || ((++index)) ;;
        esac
    done
    words=''
    if _{0}_value "$command ${{COMP_WORDS[COMP_CWORD - 1]}}"; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case "$command" in
{3}    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        COMPREPLY=($(compgen -W "$commands" -- "$word"))
    fi
}}
complete -o bashdefault -o default -F _{0} {0}
)",
                       program.name, bashValues(program), bashCommands(program),
                       bashWords(program));
}

std::string zshCompletion(const CommandDescription& program)
{
    std::string script = fmt::format(
        "#compdef {0}\n# zsh completion of {0}, written by `{0} reference zsh`\n\n", program.name);
    forEachCommand(program,
                   [&](const CommandDescription& command) { script += zshFunction(command); });
    return script + zshName(program) + " \"$@\"\n";
}

std::string fishCompletion(const CommandDescription& program)
{
    std::string script =
        fmt::format("# fish completion of {0}, written by `{0} reference fish`\n", program.name);
    forEachCommand(program, [&](const CommandDescription& command) {
        const std::string begin = fmt::format("complete -c {} -n {}", program.name,
                                              fishQuoted(fishCondition(program, command)));
        for (const CommandDescription& other : command.commands)
            script +=
                fmt::format("{} -a {} -d {}\n", begin, other.ownName(), fishQuoted(other.text));
        for (const OptionDescription& option : command.options)
            script += fishOption(begin, option);
    });
    return script;
}

} // namespace headscope::app
