#pragma once

#include "core/lessons/lesson.h"

namespace headscope {

/// The lessons that are there. Immutable; shared by the window and the command line.
class LessonLibrary
{
public:
    LessonLibrary() = default;

    /// Throws Error when the course names a lesson that is not there, or two share an id.
    LessonLibrary(Course course, std::vector<Lesson> lessons);

    const Course& course() const { return m_course; }

    const std::vector<Lesson>& lessons() const { return m_lessons; } ///< in the course's order

    const Lesson* find(std::string_view id) const;
    const Lesson& lesson(std::string_view id) const;         ///< throws Error (nearest id)
    const Lesson* lessonOfTerm(std::string_view term) const; ///< any case; null: none explains it
    const Lesson* lessonOfRow(std::string_view row) const;

private:
    Course m_course;
    std::vector<Lesson> m_lessons;
};

} // namespace headscope
