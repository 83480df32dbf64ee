#include "app/commands/command.h"
#include "app/console.h"
#include "app/lesson_source.h"
#include "app/model_source.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/lesson_library.h"
#include "core/lessons/lesson_report.h"
#include "core/lessons/listings/listing.h"
#include "core/lessons/worked/example_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace headscope::app {

namespace {

using Json = nlohmann::ordered_json;

struct LearnOptions
{
    std::string name;
    std::vector<std::string> set;
    std::string model;
    std::string text = "The cat sat on the mat";
    bool json = false;
    bool check = false;
};

LabContext contextOf(const LearnOptions& options, CommandContext& context)
{
    LabContext result;
    result.model = openModel(options.model);
    result.text = options.text;
    result.openModel = openModel;
    result.makeBackend = [&context] { return context.registry().create("cpu"); };
    return result;
}

std::map<std::string, std::string> settingsOf(const LearnOptions& options)
{
    std::map<std::string, std::string> settings;
    for (const std::string& entry : options.set) {
        const std::size_t sign = entry.find('=');
        if (sign == std::string::npos || sign == 0)
            throw Error(inQuotes(entry) + " is not a setting", "--set", "Write NAME=VALUE");
        settings[entry.substr(0, sign)] = entry.substr(sign + 1);
    }
    return settings;
}

template<class Entries>
bool holds(const Entries& entries, const std::string& name)
{
    return std::ranges::any_of(entries, [&](const auto& entry) { return entry.name == name; });
}

// ---- one example or lab ----------------------------------------------------------------------

void learnExample(const LearnOptions& options)
{
    LessonState state{LessonState::Kind::Example, options.name, settingsOf(options), {}, {}};
    const ExampleState worked = exampleState(state);
    print(options.json ? toJson(worked.example, worked.inputs).dump() + "\n"
                       : textOf(worked.example));
}

Json runLab(const LessonState& state, const LabContext& context, std::string* text)
{
    const Lab& lab = catalogueLab(state.name);
    const LabSettings settings = labSettings(state);
    const LabResult result = lab.run(settings, context, {});
    if (text)
        *text = textOf(lab, settings, result);
    return toJson(lab, settings, result);
}

void learnLab(const LearnOptions& options, CommandContext& context)
{
    LabContext labContext = contextOf(options, context);
    ProgressBar bar(catalogueLab(options.name).title);
    labContext.progress = [&bar](double done) {
        bar.show(static_cast<std::int64_t>(1000.0 * done), 1000);
    };
    std::string text;
    const Json json = runLab({LessonState::Kind::Lab, options.name, settingsOf(options), {}, {}},
                             labContext, &text);
    print(options.json ? json.dump() + "\n" : text);
}

void learnListing(const LearnOptions& options)
{
    const Listing& listing = catalogueListing(options.name);
    if (options.json)
        print(toJson(listing).dump() + "\n");
    else
        print(fmt::format("{}\n{}\n\n{}\n{}", listing.title, listing.summary, listing.cpp.text,
                          listing.torch.text));
}

// ---- one lesson ------------------------------------------------------------------------------

/// Sets a value from the command line in every state of the lesson that has the name.
void setEverywhere(Lesson& lesson, const std::map<std::string, std::string>& settings)
{
    for (const auto& [name, value] : settings) {
        bool isKnown = false;
        for (LessonStep& step : lesson.steps) {
            if (step.state.kind == LessonState::Kind::Page)
                continue;
            LessonStep changed = step;
            changed.state.set[name] = value;
            try {
                if (step.state.kind == LessonState::Kind::Lab)
                    labSettings(changed.state);
                else
                    exampleState(changed.state);
            } catch (const Error&) {
                continue;
            }
            isKnown = true;
            step = std::move(changed);
        }
        if (!isKnown)
            throw Error("no step of the lesson takes " + inQuotes(name + "=" + value), lesson.id,
                        "Set a name that one of its examples or labs has, to a valid value");
    }
}

Json stateJson(const LessonState& state, const LabContext& context)
{
    if (state.kind == LessonState::Kind::Example) {
        const ExampleState worked = exampleState(state);
        Json json = toJson(worked.example, worked.inputs);
        json["done"] = worked.done;
        return json;
    }
    if (state.kind == LessonState::Kind::Page)
        return {{"page", state.name}, {"session", state.session}};
    if (catalogueLab(state.name).isSlow) // measured only on request
        return {{"lab", state.name}, {"settings", labSettings(state).values()}};
    return runLab(state, context, nullptr);
}

Json questionJson(const FilledStep& step)
{
    Json json{{"prompt", step.question->prompt}};
    if (step.question->choices.empty()) {
        json["answer"] = step.answer;
        json["tolerance"] = step.question->tolerance;
    } else {
        json["choices"] = step.question->choices;
        json["right"] = step.question->right;
    }
    return json;
}

Json rowsJson(const Lesson& lesson)
{
    Json rows = Json::array();
    for (const LessonRow& row : lesson.rows)
        rows.push_back({{"id", row.id}, {"test", row.test}});
    return rows;
}

void printLessonJson(const Lesson& lesson, const LabContext& context)
{
    Json json{{"lesson", lesson.id},      {"title", lesson.title}, {"summary", lesson.summary},
              {"rows", rowsJson(lesson)}, {"terms", lesson.terms}, {"steps", Json::array()}};
    for (const LessonStep& step : lesson.steps) {
        const FilledStep filled = fillStep(step, context);
        Json entry{{"title", filled.title},
                   {"text", filled.text},
                   {"state", stateJson(step.state, context)}};
        if (filled.question)
            entry["question"] = questionJson(filled);
        json["steps"].push_back(std::move(entry));
    }
    print(json.dump() + "\n");
}

void printLesson(const Lesson& lesson, const LabContext& context)
{
    print(fmt::format("{}\n{}\n", lesson.title, lesson.summary));
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const FilledStep step = fillStep(lesson.steps[i], context);
        print(fmt::format("\n{}. {}\n\n{}\n", i + 1, step.title,
                          plainText(parseLessonText(step.text))));
        if (!step.question)
            continue;
        print(fmt::format("\n? {}\n", plainText(parseLessonText(step.question->prompt))));
        for (const std::string& choice : step.question->choices)
            print("  - " + plainText(parseLessonText(choice)) + "\n");
    }
}

/// A lesson of the course, or a user's own file.
Lesson lessonNamed(const std::string& name)
{
    std::error_code error;
    if (std::filesystem::exists(name, error))
        return loadLesson(name);
    if (const Lesson* lesson = builtinLessons().find(name))
        return *lesson;
    std::vector<std::string> known;
    for (const Lesson& lesson : builtinLessons().lessons())
        known.push_back(lesson.id);
    for (const ExampleEntry& example : exampleCatalogue())
        known.push_back(example.name);
    for (const Lab& lab : labCatalogue())
        known.push_back(lab.name);
    const std::string nearest = nearestName(name, known);
    throw Error("no such lesson, example, lab or file: " + inQuotes(name), {},
                nearest.empty() ? "See headscope learn for a list"
                                : "Did you mean " + inQuotes(nearest) + "?");
}

void learnLesson(const LearnOptions& options, CommandContext& context)
{
    Lesson lesson = lessonNamed(options.name);
    setEverywhere(lesson, settingsOf(options));
    if (options.json)
        printLessonJson(lesson, contextOf(options, context));
    else
        printLesson(lesson, contextOf(options, context));
}

// ---- all of them -----------------------------------------------------------------------------

void listJson()
{
    const LessonLibrary& library = builtinLessons();
    Json json{{"course", library.course().title}, {"chapters", Json::array()}};
    for (const Course::Chapter& chapter : library.course().chapters)
        json["chapters"].push_back({{"title", chapter.title}, {"lessons", chapter.lessons}});
    json["rows"] = Json::object();
    for (const Lesson& lesson : library.lessons()) {
        json["lessons"].push_back({{"id", lesson.id},
                                   {"title", lesson.title},
                                   {"summary", lesson.summary},
                                   {"terms", lesson.terms},
                                   {"steps", lesson.steps.size()}});
        for (const LessonRow& row : lesson.rows)
            json["rows"][row.id] = {{"lesson", lesson.id}, {"test", row.test}};
    }
    for (const ExampleEntry& example : exampleCatalogue())
        json["examples"].push_back(
            {{"name", example.name}, {"title", example.title}, {"row", example.row}});
    for (const Lab& lab : labCatalogue())
        json["labs"].push_back({{"name", lab.name}, {"title", lab.title}});
    for (const Listing& listing : listingCatalogue())
        json["listings"].push_back({{"name", listing.name},
                                    {"title", listing.title},
                                    {"examples", listing.examples},
                                    {"labs", listing.labs}});
    print(json.dump() + "\n");
}

void list()
{
    const LessonLibrary& library = builtinLessons();
    print(library.course().title + "\n");
    for (const Course::Chapter& chapter : library.course().chapters) {
        print("\n" + chapter.title + "\n");
        for (const std::string& id : chapter.lessons) {
            const Lesson& lesson = library.lesson(id);
            print(fmt::format("  {:<24} {}\n", id, lesson.summary));
        }
    }
    print("\nWorked examples\n");
    for (const ExampleEntry& example : exampleCatalogue())
        print(fmt::format("  example:{:<20} {}\n", example.name, example.title));
    print("\nLabs\n");
    for (const Lab& lab : labCatalogue())
        print(fmt::format("  lab:{:<24} {}\n", lab.name, lab.title));
    print("\nListings\n");
    for (const Listing& listing : listingCatalogue())
        print(fmt::format("  listing:{:<20} {}\n", listing.name, listing.title));
}

void check(const LearnOptions& options, CommandContext& context)
{
    const LabContext labContext = contextOf(options, context);
    std::vector<Lesson> lessons = builtinLessons().lessons();
    if (const Lesson* sample = builtinLessons().sample())
        lessons.push_back(*sample);
    if (!options.name.empty())
        lessons = {lessonNamed(options.name)};
    std::size_t complaints = 0;
    for (const Lesson& lesson : lessons) {
        for (const std::string& complaint : checkLesson(lesson, labContext)) {
            print(lesson.id + ": " + complaint + "\n");
            ++complaints;
        }
    }
    if (complaints != 0)
        throw Error(fmt::format("{} problem{}", complaints, complaints == 1 ? "" : "s"),
                    "learn --check", "Fix the problems listed above");
    note(fmt::format("{} lesson{} valid", lessons.size(), lessons.size() == 1 ? " is" : "s are"));
}

/// A lesson may share its name with a lab or an example: "lab:masks" is the lab.
std::string_view kindOf(const std::string& name)
{
    for (const std::string_view kind : {"lab:", "example:", "listing:"})
        if (name.starts_with(kind))
            return kind;
    return {};
}

void learn(LearnOptions options, CommandContext& context)
{
    const std::string_view kind = kindOf(options.name);
    options.name.erase(0, kind.size());
    if (kind == "lab:")
        learnLab(options, context);
    else if (kind == "example:")
        learnExample(options);
    else if (kind == "listing:")
        learnListing(options);
    else if (options.check)
        check(options, context);
    else if (options.name.empty())
        options.json ? listJson() : list();
    else if (builtinLessons().find(options.name))
        learnLesson(options, context);
    else if (holds(exampleCatalogue(), options.name))
        learnExample(options);
    else if (holds(labCatalogue(), options.name))
        learnLab(options, context);
    else
        learnLesson(options, context);
}

} // namespace

void addLearnCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<LearnOptions>();
    CLI::App* command = app.add_subcommand(
        "learn",
        "List, print and check lessons, worked examples, labs and listings, with all their numbers");
    command->add_option(
        "LESSON", options->name,
        "A lesson, \"example:NAME\", \"lab:NAME\", \"listing:NAME\" or a lesson's file");
    command->add_option("--set", options->set, "NAME=VALUE: an input, a switch or a control")
        ->allow_extra_args(false);
    addModelOption(*command, options->model);
    command->add_option("--text", options->text, "The sentence for labs that use one");
    command->add_flag("--check", options->check, "Check the lesson, or the whole course");
    command->add_flag("--json", options->json, "One JSON value with every step");
    command->callback([options, &context] { learn(*options, context); });
}

} // namespace headscope::app
