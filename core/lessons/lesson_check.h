#pragma once

#include "core/lessons/lesson_numbers.h"

namespace headscope {

/// Returns all problems of a lesson, one sentence each, naming the step: unknown states, unresolved
/// references, formulas that do not parse, numbers typed instead of referenced. Empty if there are
/// none.
std::vector<std::string> checkLesson(const Lesson& lesson, const LabContext& context,
                                     const std::stop_token& stop = {});

} // namespace headscope
