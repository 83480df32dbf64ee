#pragma once

#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// Why the stage that is shown is there; empty where its name says it.
QString whyWords(const WorkedPicture& picture);

} // namespace headscope::ui
