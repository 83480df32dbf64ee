#pragma once

#include "ui/widgets/formula/math_node.h"

namespace headscope::ui {

/// Parses the subset of LaTeX used in lessons: letters, numbers, ^ _ ', \frac \sqrt \sum \prod
/// \max \min \exp \ln \log \sin \cos \softmax, \top, signs and Greek letters, \text \mathrm \mathbf
/// \mathit \operatorname, \hat \bar \tilde, \left \right, spaces; and \queryrole{} \keyrole{}
/// \valuerole{} for the colours of queries, keys and values. Throws Error with the problem and its
/// character position.
Math mathFromLatex(const QString& latex);

/// Like mathFromLatex(), but shows unreadable input as upright text.
Math mathOrText(const QString& latex);

} // namespace headscope::ui
