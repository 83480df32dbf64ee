#include "core/lessons/lesson.h"

#include "core/lessons/lesson_json.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "lesson.json";

/// Faults in a text are told where it is shown, which knows the step but not the file.
void useText(const std::string& text)
{
    accepts({}, [&] { plainText(parseLessonText(text)); });
    accepts({}, [&] { references(text); });
    accepts({}, [&] {
        fillIn(text, [](std::string_view) { return ReferencedNumber{1.5, "√2"}; });
    });
}

void useSteps(const Lesson& lesson)
{
    for (const LessonStep& step : lesson.steps) {
        useText(step.text);
        if (!step.question)
            continue;
        useText(step.question->prompt);
        for (const std::string& choice : step.question->choices)
            useText(choice);
    }
}

} // namespace

bool readLesson(std::string_view file)
{
    const bool isLesson = accepts(kName, [&] {
        const Lesson lesson = parseLesson(file, kName);
        require(parseLesson(lessonJson(lesson), kName) == lesson,
                "a lesson that reads back as another");
        useSteps(lesson);
    });
    const bool isCourse = accepts(kName, [&] { parseCourse(file, kName); });
    useText(std::string(file));
    return isLesson || isCourse;
}

} // namespace headscope::fuzz
