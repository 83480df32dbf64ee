#include "app/commands/command.h"
#include "app/console.h"
#include "app/manual_source.h"
#include "core/lessons/manual/markdown_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace headscope::app {

namespace {

struct HelpOptions
{
    std::string topic;
    bool json = false;
};

void listTopics()
{
    print(
        "Topics, for `headscope help TOPIC`. Options of a command: `headscope COMMAND --help`.\n");
    std::string chapter;
    for (const ManualPage& page : builtinManual().pages()) {
        if (page.chapter != chapter)
            print("\n" + page.chapter + "\n");
        chapter = page.chapter;
        print(fmt::format("  {:<22} {}\n", page.name, page.title));
    }
}

nlohmann::ordered_json pageJson(const ManualPage& page)
{
    return {{"name", page.name},
            {"title", page.title},
            {"chapter", page.chapter},
            {"markdown", page.text}};
}

void printJson(const std::string& topic)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    if (topic.empty())
        for (const ManualPage& page : builtinManual().pages())
            json.push_back(pageJson(page));
    else
        json = pageJson(builtinManual().page(topic));
    print(json.dump() + "\n");
}

void help(const HelpOptions& options)
{
    if (options.json)
        printJson(options.topic);
    else if (options.topic.empty())
        listTopics();
    else
        print(terminalText(builtinManual().page(options.topic).text));
}

} // namespace

void addHelpCommand(CLI::App& app, CommandContext&)
{
    const auto options = std::make_shared<HelpOptions>();
    CLI::App* command =
        app.add_subcommand("help", "Print a page of the manual; without TOPIC, list all pages");
    command->add_option("TOPIC", options->topic,
                        "Name or title of a page: first-steps, \"What-if\"");
    command->add_flag("--json", options->json, "One JSON object with the page as Markdown");
    command->callback([options] { help(*options); });
}

} // namespace headscope::app
