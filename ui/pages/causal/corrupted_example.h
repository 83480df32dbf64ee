#pragma once

#include "ui/session/view_snapshot.h"

namespace headscope::ui {

/// Corrupted text to start from: the clean text with one word replaced by another that the model
/// expects there, with the same number of tokens. Empty where none is found.
QString corruptedExample(const ViewSnapshot& view);

} // namespace headscope::ui
