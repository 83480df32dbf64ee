#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/style/theme.h"

namespace headscope::ui {

Math rotationFormula(); ///< Formula PE(p+k) = A_k PE(p).

/// Explanation of a scheme that adds vectors, as HTML.
QString schemeText(Positions scheme, const QString& model, const Theme& theme);

QString rotationErrorText(double error); ///< Error text such as "7.0·10⁻¹⁵".

} // namespace headscope::ui
