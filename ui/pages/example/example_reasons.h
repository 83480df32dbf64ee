#pragma once

#include "ui/widgets/worked/worked_diagram.h"

namespace headscope::ui {

/// Why the current stage is needed; empty where its name says so.
QString whyText(const WorkedDiagram& diagram);

} // namespace headscope::ui
