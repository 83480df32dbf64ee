#include "app/reference/command_description.h"

namespace headscope::app {

namespace {

/// CLI11 writes the set of IsMember into the type: "TEXT:{light,dark}".
std::vector<std::string> choicesIn(const std::string& type)
{
    const std::size_t begin = type.find('{');
    const std::size_t end = type.find('}', begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos)
        return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

OptionDescription describeOption(const CLI::Option& option)
{
    OptionDescription description;
    for (const std::string& name : option.get_snames())
        description.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        description.names.push_back("--" + name);
    description.text = option.get_description();
    description.defaultText = option.get_default_str();
    if (option.get_items_expected_max() == 0)
        return description;
    const std::string type = option.get_type_name();
    description.choices = choicesIn(type);
    description.valueName =
        option.nonpositional() ? type.substr(0, type.find(':')) : option.get_name(true);
    return description;
}

void addOptions(CommandDescription& description, const CLI::App& app)
{
    const bool isGroup = app.get_name().empty(); // it has a --help too, which nobody sees
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty() && !(isGroup && option == app.get_help_ptr()))
            (option->nonpositional() ? description.options : description.positionals)
                .push_back(describeOption(*option));
}

CommandDescription describe(const CLI::App& app, const std::string& parent)
{
    CommandDescription description;
    description.name = parent.empty() ? app.get_name() : parent + " " + app.get_name();
    description.text = app.get_description();
    addOptions(description, app);
    for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (other->get_name().empty()) // "at least one of --out and --numbers", say
            addOptions(description, *other);
        else if (!other->get_group().empty())
            description.commands.push_back(describe(*other, description.name));
    }
    return description;
}

} // namespace

std::string CommandDescription::ownName() const
{
    return name.substr(name.rfind(' ') + 1);
}

CommandDescription describeCommand(const CLI::App& app)
{
    return describe(app, "");
}

} // namespace headscope::app
