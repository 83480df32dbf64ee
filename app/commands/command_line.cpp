#include "app/commands/command_line.h"

#include "app/commands/command.h"
#include "app/console.h"
#include "app/window_part.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/ops/kernels.h"

#include <algorithm>
#include <new>

namespace headscope::app {

namespace {

/// The innermost subcommand in use.
const CLI::App& usedCommand(const CLI::App& app)
{
    const std::vector<const CLI::App*> used =
        app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : used)
        if (command->parsed() && !command->get_name().empty()) // option groups have no name
            return usedCommand(*command);
    return app;
}

std::string fullName(const CLI::App& command)
{
    return command.get_parent() ? fullName(*command.get_parent()) + " " + command.get_name()
                                : command.get_name();
}

std::vector<std::string> knownNames(const CLI::App& command, bool options)
{
    std::vector<std::string> names;
    if (options) {
        for (const CLI::Option* option : command.get_options())
            for (const std::string& name : option->get_lnames())
                names.push_back("--" + name);
        for (const CLI::App* group : command.get_subcommands([](const CLI::App* other) {
                 return other->get_name().empty(); // an option group
             }))
            for (const std::string& name : knownNames(*group, true))
                names.push_back(name);
    } else {
        for (const CLI::App* other : command.get_subcommands([](const CLI::App*) { return true; }))
            names.push_back(other->get_name());
    }
    return names;
}

/// A word in place of a file may be a misspelt subcommand.
Error missingFileError(const CLI::App& app, const std::string& word)
{
    const std::string nearest = nearestName(word, knownNames(app, false));
    return Error("no such file or subcommand: " + inQuotes(word), fullName(app),
                 nearest.empty() ? "See " + fullName(app) + " --help"
                                 : "Did you mean " + inQuotes(nearest) + "?");
}

Error usageError(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& command = usedCommand(app);
    const std::string where = fullName(command);
    const std::string help = "See " + where + " --help";
    // a misspelt option is the reason when a required one seems to be missing
    const std::vector<std::string> remaining = app.remaining(true);
    if (!remaining.empty()) {
        const std::string& word = remaining.front();
        const bool isOption = word.starts_with("-");
        const std::string name = word.substr(0, isOption ? word.find('=') : std::string::npos);
        const std::string nearest = nearestName(name, knownNames(command, isOption));
        return Error((isOption ? "unknown option " : "unknown argument ") + inQuotes(name), where,
                     nearest.empty() ? help : "Did you mean " + inQuotes(nearest) + "?");
    }
    const CLI::Option* file = app.get_option_no_throw("FILE");
    if (file && file->count() > 0 && dynamic_cast<const CLI::ValidationError*>(&error) &&
        std::string_view(error.what()).starts_with("FILE"))
        return missingFileError(app, file->results().front());
    return Error(error.what(), where, help);
}

void printError(std::string_view sentence)
{
    note("error: " + oneLine(sentence));
}

constexpr char kTextMark = '\x02';

/// Writes "--text=" as "--text" and an empty word: CLI11 would take the next option for its value.
std::vector<std::string> withEmptyValues(const std::vector<std::string>& words)
{
    const auto end = std::ranges::find(words, "--"); // what follows are no options
    std::vector<std::string> result;
    for (auto word = words.begin(); word != words.end(); ++word) {
        const bool hasEmptyValue =
            word < end && word->starts_with("--") && word->find('=') == word->size() - 1;
        result.push_back(hasEmptyValue ? word->substr(0, word->size() - 1) : *word);
        if (hasEmptyValue)
            result.emplace_back();
    }
    return result;
}

/// Arguments in reverse order, as CLI11 takes them; see withoutMark.
std::vector<std::string> wordsOf(int argc, char** argv)
{
    std::vector<std::string> words = withEmptyValues({argv + std::min(argc, 1), argv + argc});
    const bool takesTexts = !words.empty() && words.front() == "tokenize";
    const auto takesValue = [](std::string_view word) {
        return word == "--model" || word == "--tokenizer" || word == "--text-pair";
    };
    for (std::size_t index = 1; takesTexts && index < words.size(); ++index)
        if (words[index].starts_with('[') && !takesValue(words[index - 1]))
            words[index].insert(words[index].begin(), kTextMark);
    std::reverse(words.begin(), words.end());
    return words;
}

int parseAndRun(CLI::App& app, int argc, char** argv)
{
    try {
        app.parse(wordsOf(argc, argv));
        finishOutput();
        return 0;
    } catch (const CLI::Success& request) { // --help, --version
        app.exit(request);
        finishOutput();
        return 0;
    } catch (const CLI::ParseError& error) {
        printError(usageError(app, error).what());
        return 2;
    }
}

void addCommands(CLI::App& app, CommandContext& context)
{
    addTokenizeCommand(app, context);
    addTraceCommand(app, context);
    addGenerateCommand(app, context);
    addTrainCommand(app, context);
    addRunsCommand(app, context);
    addInspectCommand(app, context);
    addModelsCommand(app, context);
    addDevicesCommand(app, context);
    addLearnCommand(app, context);
    addBenchCommand(app, context);
    addHelpCommand(app, context);
    addReferenceCommand(app, context);
}

} // namespace

std::string withoutMark(const std::string& text)
{
    return text.starts_with(kTextMark) ? text.substr(1) : text;
}

int runCommandLine(int argc, char** argv)
{
    try {
        CLI::App app("Type a sentence and watch attention live", "headscope");
        app.set_version_flag("--version", "headscope " HEADSCOPE_VERSION);
        app.require_subcommand(0, 1);
        CommandContext context(argc, argv);
        addCommands(app, context);
        addWindowCommands(app, context);
        kernels(); // refuses an instruction set that is not there, before anything starts
        return parseAndRun(app, argc, argv);
    } catch (const std::bad_alloc&) {
        printError("not enough memory. Close other programs, or use a smaller model or text");
    } catch (const std::exception& error) {
        printError(error.what());
    }
    return 1;
}

} // namespace headscope::app
