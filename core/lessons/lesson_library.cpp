#include "core/lessons/lesson_library.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <set>

namespace headscope {

LessonLibrary::LessonLibrary(Course course, std::vector<Lesson> lessons)
    : m_course(std::move(course))
{
    std::set<std::string> ids;
    for (const Lesson& lesson : lessons)
        if (!ids.insert(lesson.id).second)
            throw Error("two lessons have the id " + inQuotes(lesson.id), {}, "Rename one");
    if (const auto found = std::ranges::find(lessons, kSampleLesson, &Lesson::id);
        found != lessons.end())
        m_sample = *found;
    for (const Course::Chapter& chapter : m_course.chapters) {
        for (const std::string& id : chapter.lessons) {
            const auto found = std::ranges::find(lessons, id, &Lesson::id);
            if (found == lessons.end())
                throw Error("the course names a missing lesson", id,
                            nearestNameAdvice(id, {ids.begin(), ids.end()}));
            m_lessons.push_back(*found);
        }
    }
}

const Lesson* LessonLibrary::find(std::string_view id) const
{
    const auto found = std::ranges::find(m_lessons, id, &Lesson::id);
    if (found != m_lessons.end())
        return &*found;
    return id == kSampleLesson ? sample() : nullptr;
}

const Lesson& LessonLibrary::lesson(std::string_view id) const
{
    if (const Lesson* found = find(id))
        return *found;
    throw Error("there is no lesson " + inQuotes(id), {},
                nearestNameAdvice(id, m_lessons, &Lesson::id));
}

const Lesson* LessonLibrary::lessonOfTerm(std::string_view term) const
{
    const std::string wanted = asciiLower(term);
    for (const Lesson& lesson : m_lessons)
        for (const std::string& explained : lesson.terms)
            if (asciiLower(explained) == wanted)
                return &lesson;
    return nullptr;
}

} // namespace headscope
