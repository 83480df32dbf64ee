#pragma once

#include "core/lessons/lesson.h"

#include <filesystem>

namespace headscope {

/// Parses JSON, "headscope-lesson" version 1. Throws FormatError with `where`, the step and key,
/// and the expected value. References in the text are checked by checkLesson().
Lesson parseLesson(std::string_view json, const std::string& where);
std::string lessonJson(const Lesson& lesson);

Lesson loadLesson(const std::filesystem::path& path);                     ///< Throws Error.
void saveLesson(const Lesson& lesson, const std::filesystem::path& path); ///< Atomic; throws Error.

Course parseCourse(std::string_view json, const std::string& where); ///< Throws FormatError.

} // namespace headscope
