#pragma once

#include "core/lessons/lesson.h"

#include <optional>

namespace headscope {

/// Id of the lesson that is offered as a start for one's own.
inline constexpr std::string_view kSampleLesson = "sample";

/// All available lessons. Immutable; shared by the window and the command line.
class LessonLibrary
{
public:
    LessonLibrary() = default;

    /// Keeps the lessons of the course in its order, and kSampleLesson. Throws Error if the course
    /// names a missing lesson or two lessons share an id.
    LessonLibrary(Course course, std::vector<Lesson> lessons);

    const Course& course() const { return m_course; }

    const std::vector<Lesson>& lessons() const { return m_lessons; } ///< Course order.

    /// Short lesson to open and change, which is no part of the course; null if there is none.
    const Lesson* sample() const { return m_sample ? &*m_sample : nullptr; }

    const Lesson* find(std::string_view id) const;   ///< Lesson of the course, or the sample.
    const Lesson& lesson(std::string_view id) const; ///< Throws Error with the nearest id.
    const Lesson* lessonOfTerm(std::string_view term) const; ///< Ignores case; null if not found.

private:
    Course m_course;
    std::vector<Lesson> m_lessons;
    std::optional<Lesson> m_sample;
};

} // namespace headscope
