#pragma once

#include "core/lessons/lesson.h"

#include <filesystem>

namespace headscope {

/// JSON, "headscope-lesson" version 1. Throws FormatError: `where`, the step and key, what was
/// expected. What the text refers to is checked by checkLesson().
Lesson parseLesson(std::string_view json, const std::string& where);
std::string lessonJson(const Lesson& lesson);

Lesson loadLesson(const std::filesystem::path& path);                     ///< throws Error
void saveLesson(const Lesson& lesson, const std::filesystem::path& path); ///< atomic; throws Error

Course parseCourse(std::string_view json, const std::string& where); ///< throws FormatError

} // namespace headscope
