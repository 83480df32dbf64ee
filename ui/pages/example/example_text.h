#pragma once

#include "ui/widgets/worked/worked_diagram.h"

namespace headscope::ui {

/// Description of the current step: "Each number of sat in Weights is multiplied by ...".
QString whatText(const WorkedDiagram& diagram);

} // namespace headscope::ui
