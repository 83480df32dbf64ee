#include "app/lesson_source.h"

#include "core/base/content_catalogue.h"
#include "core/base/error.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/lesson_library.h"
#include "resources/resource.h"

namespace headscope::app {

namespace {

constexpr std::string_view kCourse = "lessons/course.json";

LessonLibrary readLessons()
{
    const auto course = resourceText(kCourse);
    if (!course)
        throw Error("the course is missing from this build", std::string(kCourse),
                    "Build Headscope again");
    std::vector<Lesson> lessons;
    for (const std::string& name : resourceNames())
        if (name.starts_with("lessons/") && name != kCourse)
            lessons.push_back(parseLesson(contentText(name, resourceText(name).value()), name));
    return {parseCourse(contentText(std::string(kCourse), *course), std::string(kCourse)),
            std::move(lessons)};
}

} // namespace

const LessonLibrary& builtinLessons()
{
    static ContentCatalogue<LessonLibrary> libraries;
    return libraries.entries(readLessons);
}

} // namespace headscope::app
