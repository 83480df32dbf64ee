#pragma once

#include "ui/widgets/formula/math_node.h"

#include <QString>

namespace headscope::ui {

QString spokenText(const Math& formula); ///< "softmax of Q K transpose over root d k"
QString latexText(const Math& formula);

} // namespace headscope::ui
