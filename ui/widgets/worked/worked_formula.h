#pragma once

#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/worked/worked_diagram.h"

namespace headscope::ui {

/// Highlighted step as a formula with its numbers in the colours of their matrices.
struct LiveFormula
{
    std::vector<Math> terms; ///< Terms in sequence; a line may break between them.
    Math left;               ///< All terms in one row.
    QString result;          ///< Result, such as "0.6276", or "?" while it is asked for.
    Math general;            ///< Formula with names: "out_{sat,0} = ..."; null if there is none.
    /// Exact form as a fraction or a root; null if there is none or it is no longer than the
    /// decimals.
    Math exact;
    QString decimals;     ///< Value with six digits; empty while it is asked for.
    bool isWhole = false; ///< True if the value is already shown in full.
};

LiveFormula liveFormula(const WorkedDiagram& diagram);

/// Exact form of a step's value; null if the decimals are exact.
Math exactForm(const WorkedStep& step);

} // namespace headscope::ui
