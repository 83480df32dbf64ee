#pragma once

#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// What the lit step does, in plain words: "Each number of sat in Weights is multiplied by ...".
QString whatWords(const WorkedPicture& picture);

} // namespace headscope::ui
