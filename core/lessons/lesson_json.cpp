#include "core/lessons/lesson_json.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/lessons/often_said.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLargestFile = 8U << 20U;
constexpr std::size_t kMostSteps = 500;

constexpr std::pair<LessonState::Kind, const char*> kStateKeys[] = {
    {LessonState::Kind::Example, "example"},
    {LessonState::Kind::Lab, "lab"},
    {LessonState::Kind::Page, "page"},
};

LessonState readState(const json& value, const std::string& name, const std::string& where)
{
    const JsonRecord object(value, name, {"example", "lab", "page", "set", "at", "session"}, where);
    LessonState state;
    int kinds = 0;
    for (const auto& [kind, key] : kStateKeys) {
        if (!object.find(key))
            continue;
        ++kinds;
        state.kind = kind;
        state.name = object.needed(key);
    }
    if (kinds != 1)
        object.refuse("example", "exactly one of \"example\", \"lab\" and \"page\"");
    state.set = object.textsByName("set");
    state.at = object.text("at");
    if (const json* session = object.find("session"))
        state.session = *session;
    if (!state.session.is_null() && !state.session.is_object())
        object.refuse("session", "a session object");
    return state;
}

std::map<std::string, LessonNumber> readNumbers(const JsonRecord& step)
{
    std::map<std::string, LessonNumber> numbers;
    const json* value = step.find("numbers");
    if (!value)
        return numbers;
    if (!value->is_object())
        step.refuse("numbers", "an object");
    for (const auto& [name, entry] : value->items()) {
        const std::string shown = inQuotes(name);
        const std::string place = step.part("numbers." + shown.substr(1, shown.size() - 2));
        const JsonRecord number(entry, place, {"state", "reference"}, step.where());
        const json* state = number.find("state");
        numbers.emplace(
            name, LessonNumber{readState(state ? *state : json(), place + ".state", step.where()),
                               number.needed("reference")});
    }
    return numbers;
}

LessonQuestion readQuestion(const json& value, const JsonRecord& step)
{
    const JsonRecord object(value, step.part("question"),
                            {"prompt", "choices", "right", "answer", "tolerance", "praise", "hint"},
                            step.where());
    LessonQuestion question;
    question.prompt = object.needed("prompt");
    question.choices = object.texts("choices");
    question.answer = object.text("answer");
    object.fields().read("tolerance", question.tolerance, 0.0, 1e6);
    question.praise = object.text("praise");
    question.hint = object.text("hint");
    if (question.choices.empty() == question.answer.empty())
        object.refuse("answer", "either \"choices\" or an \"answer\"");
    std::int64_t right = 0;
    object.fields().read("right", right, 0,
                         std::max<std::int64_t>(0, std::ssize(question.choices) - 1));
    question.right = static_cast<int>(right);
    return question;
}

LessonStep readStep(const json& value, const std::string& name, const std::string& where)
{
    const JsonRecord object(
        value, name,
        {"title", "text", "state", "highlight", "hide", "numbers", "question", "often_said"},
        where);
    LessonStep step;
    step.title = object.needed("title");
    step.text = object.text("text") + oftenSaidText(object);
    const json* state = object.find("state");
    step.state = readState(state ? *state : json(), object.part("state"), where);
    step.highlight = object.texts("highlight");
    step.hide = object.texts("hide");
    step.numbers = readNumbers(object);
    if (const json* question = object.find("question"))
        step.question = readQuestion(*question, object);
    return step;
}

bool isId(const std::string& id)
{
    return id.size() <= 80 && std::ranges::all_of(id, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
           });
}

void checkFormat(const json& root, const char* format, const std::string& where)
{
    if (!root.is_object() || root.value("format", json()) != format)
        throw FormatError(fmt::format("this is not a {}", format), where, 0,
                          fmt::format("Open a file with \"format\": \"{}\"", format));
    if (root.value("version", json()) != 1)
        throw FormatError(fmt::format("this {} does not have version 1", format), where,
                          std::nullopt, "Open it with a newer Headscope");
}

std::vector<LessonRow> readRows(const JsonRecord& lesson)
{
    std::vector<LessonRow> rows;
    for (const json& entry : lesson.list("rows")) {
        const JsonRecord row(entry, lesson.part("rows"), {"id", "test"}, lesson.where());
        rows.push_back({row.needed("id"), row.needed("test")});
    }
    return rows;
}

json toJson(const LessonState& state)
{
    json object;
    for (const auto& [kind, key] : kStateKeys)
        if (kind == state.kind)
            object[key] = state.name;
    if (!state.set.empty())
        object["set"] = state.set;
    if (!state.at.empty())
        object["at"] = state.at;
    if (!state.session.is_null())
        object["session"] = state.session;
    return object;
}

json toJson(const LessonQuestion& question)
{
    json object = {{"prompt", question.prompt}};
    if (question.choices.empty()) {
        object["answer"] = question.answer;
        object["tolerance"] = question.tolerance;
    } else {
        object["choices"] = question.choices;
        object["right"] = question.right;
    }
    if (!question.praise.empty())
        object["praise"] = question.praise;
    if (!question.hint.empty())
        object["hint"] = question.hint;
    return object;
}

json toJson(const LessonStep& step)
{
    json object = {{"title", step.title}, {"state", toJson(step.state)}};
    if (!step.text.empty())
        object["text"] = step.text;
    if (!step.highlight.empty())
        object["highlight"] = step.highlight;
    if (!step.hide.empty())
        object["hide"] = step.hide;
    for (const auto& [name, number] : step.numbers)
        object["numbers"][name] = {{"state", toJson(number.state)},
                                   {"reference", number.reference}};
    if (step.question)
        object["question"] = toJson(*step.question);
    return object;
}

} // namespace

Lesson parseLesson(std::string_view text, const std::string& where)
{
    const json root = parseJson(text, where);
    checkFormat(root, "headscope-lesson", where);
    const JsonRecord object(
        root, "lesson", {"format", "version", "id", "title", "summary", "rows", "terms", "steps"},
        where);
    Lesson lesson;
    lesson.id = object.needed("id");
    if (!isId(lesson.id))
        object.refuse("id", "lower-case letters, digits and \"-\", at most 80");
    lesson.title = object.needed("title");
    lesson.summary = object.text("summary");
    lesson.rows = readRows(object);
    lesson.terms = object.texts("terms");
    const json steps = object.list("steps");
    if (steps.empty() || steps.size() > kMostSteps)
        object.refuse("steps", fmt::format("1 to {} steps", kMostSteps));
    for (const json& step : steps)
        lesson.steps.push_back(
            readStep(step, fmt::format("step {}", lesson.steps.size() + 1), where));
    return lesson;
}

std::string lessonJson(const Lesson& lesson)
{
    json object = {{"format", "headscope-lesson"},
                   {"version", 1},
                   {"id", lesson.id},
                   {"title", lesson.title},
                   {"steps", json::array()}};
    if (!lesson.summary.empty())
        object["summary"] = lesson.summary;
    for (const LessonRow& row : lesson.rows)
        object["rows"].push_back({{"id", row.id}, {"test", row.test}});
    if (!lesson.terms.empty())
        object["terms"] = lesson.terms;
    for (const LessonStep& step : lesson.steps)
        object["steps"].push_back(toJson(step));
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Lesson loadLesson(const std::filesystem::path& path)
{
    return parseLesson(readFile(path, kLargestFile), path.string());
}

void saveLesson(const Lesson& lesson, const std::filesystem::path& path)
{
    writeAtomically(path, lessonJson(lesson));
}

Course parseCourse(std::string_view text, const std::string& where)
{
    const json root = parseJson(text, where);
    checkFormat(root, "headscope-course", where);
    const JsonRecord object(root, "course", {"format", "version", "title", "chapters"}, where);
    Course course;
    course.title = object.needed("title");
    for (const json& entry : object.list("chapters")) {
        const JsonRecord chapter(entry, "chapter", {"title", "lessons"}, where);
        course.chapters.push_back({chapter.needed("title"), chapter.texts("lessons")});
    }
    return course;
}

} // namespace headscope
