#pragma once

#include "core/lessons/lesson.h"

namespace headscope {

/// All available lessons. Immutable; shared by the window and the command line.
class LessonLibrary
{
public:
    LessonLibrary() = default;

    /// Throws Error if the course names a missing lesson or two lessons share an id.
    LessonLibrary(Course course, std::vector<Lesson> lessons);

    const Course& course() const { return m_course; }

    const std::vector<Lesson>& lessons() const { return m_lessons; } ///< Course order.

    const Lesson* find(std::string_view id) const;
    const Lesson& lesson(std::string_view id) const;         ///< Throws Error with the nearest id.
    const Lesson* lessonOfTerm(std::string_view term) const; ///< Ignores case; null if not found.
    const Lesson* lessonOfRow(std::string_view row) const;

private:
    Course m_course;
    std::vector<Lesson> m_lessons;
};

} // namespace headscope
