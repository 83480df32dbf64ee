#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_library.h"

#include <QStringList>

namespace headscope::ui {

/// Lesson about the page or part of the frame with this name: the first that explains the name or
/// one of `terms`, else the first that shows the page; null when there is none.
const Lesson* lessonAbout(const LessonLibrary& library, const QString& name,
                          const QStringList& terms);

} // namespace headscope::ui
