#pragma once

#include "core/lessons/lesson_library.h"

namespace headscope::app {

/// The built-in course in the language of this process (content_language.h). Read once; throws Error if one of its files is malformed.
const LessonLibrary& builtinLessons();

} // namespace headscope::app
