#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

/// `result` in the language of this process: titles, captions, units, axes and sentences. Labels of
/// bars, of rows and columns and cells of tables stay, as they may be tokens of the user's text; a
/// lab translates its own with message().
LabResult translated(LabResult result);

} // namespace headscope
