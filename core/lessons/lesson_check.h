#pragma once

#include "core/lessons/lesson_numbers.h"

namespace headscope {

/// All that is wrong with a lesson, one sentence each, naming the step: states that do not exist,
/// references to what is not there, formulas that do not parse, numbers typed where a reference
/// belongs. Empty: it is sound.
std::vector<std::string> checkLesson(const Lesson& lesson, const LabContext& context,
                                     const std::stop_token& stop = {});

} // namespace headscope
