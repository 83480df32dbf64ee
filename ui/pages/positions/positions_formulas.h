#pragma once

#include "ui/pages/positions/positions_plot.h"
#include "ui/widgets/formula/math_node.h"

namespace headscope::ui {

Math schemeFormula(PositionScheme scheme);
Math rotationFormula(); ///< PE(p+k) = A_k PE(p)

/// What to see in the table of a scheme that adds vectors; HTML.
QString schemeWords(PositionScheme scheme, const QString& model, const Theme& theme);

} // namespace headscope::ui
