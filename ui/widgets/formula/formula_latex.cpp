#include "ui/widgets/formula/formula_latex.h"

#include "core/base/error.h"
#include "ui/widgets/formula/latex_reader.h"

namespace headscope::ui {

Math mathFromLatex(const QString& formula)
{
    return latex::LatexReader(formula).whole();
}

Math mathOrText(const QString& formula)
{
    try {
        return mathFromLatex(formula);
    } catch (const Error&) {
        return math::text(formula);
    }
}

} // namespace headscope::ui
