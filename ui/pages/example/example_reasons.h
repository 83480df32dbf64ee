#pragma once

#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// Why the current stage is needed; empty where its name says so.
QString whyWords(const WorkedPicture& picture);

} // namespace headscope::ui
