#pragma once

#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// What the lit step does, in plain words: "Each number of sat in Weights is multiplied by ...".
QString whatWords(const WorkedPicture& picture);

/// Why the stage that is shown is there; empty where its name says it.
QString whyWords(const WorkedPicture& picture);

} // namespace headscope::ui
