#pragma once

#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/worked/worked_diagram.h"

#include <vector>

namespace headscope::ui {

/// Final results of a worked example in terms of its inputs, one formula each, derived from the
/// steps: "Output = softmax(Q K^T / sqrt(d_k)) V". What is used more than once has a formula of its
/// own before them. Operations of the current stage are lit, those of later stages faint.
std::vector<Math> wholeFormula(const WorkedDiagram& diagram);

bool isLit(const Math& formula); ///< True where a part of the formula is lit.

} // namespace headscope::ui
