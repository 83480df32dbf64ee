#pragma once

#include "ui/widgets/formula/math_node.h"

#include <QString>

namespace headscope::ui {

/// Spoken form, such as "softmax of Q K transpose over root d k".
QString spokenText(const Math& formula);
QString latexText(const Math& formula);

} // namespace headscope::ui
