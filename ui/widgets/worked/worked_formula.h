#pragma once

#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// The step that is lit as a formula with its numbers in the colours of their matrices.
struct LiveFormula
{
    std::vector<Math> terms; ///< to be written one after the other; a line may break between them
    Math left;               ///< all of them in one row
    QString result;          ///< "0.6276", or "?" while it is asked for
    Math general;            ///< with names: "out_{sat,0} = ..."; null where there is none
    Math exact;           ///< as a fraction or a root; null where there is none or it is as short
    QString decimals;     ///< the value with six digits; empty while it is asked for
    bool isWhole = false; ///< the value is shown in full already
};

LiveFormula liveFormula(const WorkedPicture& picture);

/// Of a step's value; null where the decimals say as much.
Math exactForm(const WorkedStep& step);

} // namespace headscope::ui
