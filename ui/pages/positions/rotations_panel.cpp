#include "ui/pages/positions/rotations_panel.h"

#include "ui/pages/positions/clocks_widget.h"
#include "ui/pages/positions/positions_formulas.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace headscope::ui {

RotationsPanel::RotationsPanel(QWidget* parent)
    : QWidget(parent)
    , m_clocks(new ClocksWidget)
    , m_error(new TextLabel({}, TextRole::Body, TextLabel::Tone::Ok))
{
    setFixedWidth(280);
    auto* legend = new QHBoxLayout;
    legend->setSpacing(16);
    legend->addWidget(new TextLabel(tr("● PE(p)"), TextRole::Body, TextLabel::Tone::Accent));
    legend->addWidget(new TextLabel(tr("● PE(p+k)"), TextRole::Body, TextLabel::Tone::Key));
    legend->addStretch();
    auto* formula = new FormulaWidget;
    formula->setFormula(rotationFormula(), 17.0);
    m_error->setStrong(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(heading(tr("A move is a rotation")));
    column->addLayout(legend);
    column->addWidget(m_clocks, 1);
    column->addWidget(new Hairline);
    column->addWidget(formula);
    column->addWidget(m_error);
}

void RotationsPanel::setContent(const PositionsContent& content)
{
    m_clocks->setContent(content);
    m_largestError = largestRotationError(content.table, content.offset, content.base);
    m_error->setText(tr("✓  largest error %1").arg(rotationErrorText(m_largestError)));
    m_error->setTone(m_largestError < 1e-6 ? TextLabel::Tone::Ok : TextLabel::Tone::Error);
}

} // namespace headscope::ui
