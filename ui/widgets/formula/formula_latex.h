#pragma once

#include "ui/widgets/formula/math_node.h"

namespace headscope::ui {

/// The part of LaTeX's formulas that lessons use: letters, numbers, ^ _ ', \frac \sqrt \sum \prod
/// \max \min \exp \ln \log \sin \cos \softmax, \top, signs and Greek letters, \text \mathrm \mathbf
/// \mathit \operatorname, \hat \bar \tilde, \left \right, spaces; and \queryrole{} \keyrole{}
/// \valuerole{} for the colours of queries, keys and values. Throws Error: what is wrong, at which
/// character.
Math mathFromLatex(const QString& latex);

/// The same; what cannot be read becomes its own text, upright.
Math mathOrText(const QString& latex);

} // namespace headscope::ui
