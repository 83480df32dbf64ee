#pragma once

#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// Description of the current step: "Each number of sat in Weights is multiplied by ...".
QString whatWords(const WorkedPicture& picture);

} // namespace headscope::ui
