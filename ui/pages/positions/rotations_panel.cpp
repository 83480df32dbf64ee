#include "ui/pages/positions/rotations_panel.h"

#include "ui/pages/positions/clocks_widget.h"
#include "ui/pages/positions/positions_formulas.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

RotationsPanel::RotationsPanel(QWidget* parent)
    : QWidget(parent)
    , m_clocks(new ClocksWidget)
    , m_error(new TextLabel({}, TextRole::Body, TextLabel::Tone::Ok))
{
    setFixedWidth(280);
    auto* legend = rowOf(16, {new TextLabel(tr("● PE(p)"), TextRole::Body, TextLabel::Tone::Accent),
                              new TextLabel(tr("● PE(p+k)"), TextRole::Body, TextLabel::Tone::Key),
                              Placed::space(0)});
    auto* formula = new FormulaWidget;
    formula->setFormula(rotationFormula(), 17.0);
    m_error->setObjectName("error");
    m_error->setStrong(true);
    columnOf(8,
             {heading(tr("An offset is a rotation")),
              legend,
              {m_clocks, 1},
              new Hairline,
              formula,
              m_error},
             this);
}

void RotationsPanel::setContent(const PositionsContent& content)
{
    m_clocks->setContent(content);
    const double error = largestRotationError(content.table, content.offset, content.base);
    m_error->setText(tr("✓  largest error %1").arg(rotationErrorText(error)));
    m_error->setTone(error < 1e-6 ? TextLabel::Tone::Ok : TextLabel::Tone::Error);
}

} // namespace headscope::ui
