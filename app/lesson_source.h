#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_library.h"

namespace headscope::app {

/// The course that the program carries. Read once; throws Error when a file of it is malformed.
const LessonLibrary& builtinLessons();

} // namespace headscope::app
