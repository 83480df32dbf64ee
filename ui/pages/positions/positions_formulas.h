#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/pages/positions/positions_plot.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/style/theme.h"

namespace headscope::ui {

Math rotationFormula(); ///< PE(p+k) = A_k PE(p)

/// What to see in the table of a scheme that adds vectors; HTML.
QString schemeWords(Positions scheme, const QString& model, const Theme& theme);

QString rotationErrorText(double error); ///< "7.0·10⁻¹⁵"

} // namespace headscope::ui
