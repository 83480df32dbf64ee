#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_library.h"

#include <QString>

namespace headscope::ui {

/// The lesson that explains a page, or a part of the frame, by its object name; null where there is
/// none.
const Lesson* lessonOfPage(const LessonLibrary& library, const QString& page);

} // namespace headscope::ui
