#include "ui/widgets/formula/formula_widget.h"

#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_text.h"
#include "ui/widgets/readable.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

#include <cmath>
#include <utility>

namespace headscope::ui {

FormulaWidget::FormulaWidget()
{
    setAccessibleName(tr("Formula"));
    makeReadable(*this, QAccessible::StaticText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void FormulaWidget::setFormula(Math formula, double pixels)
{
    m_formula = std::move(formula);
    m_pixels = pixels;
    setAccessibleName(m_formula ? spokenText(m_formula) : tr("Formula"));
    updateGeometry();
    update();
}

QSize FormulaWidget::sizeHint() const
{
    const QSizeF size = formulaSize(m_formula, m_pixels, Theme::of(*this));
    return {static_cast<int>(std::ceil(size.width())) + 4,
            static_cast<int>(std::ceil(size.height())) + 6};
}

QSize FormulaWidget::minimumSizeHint() const
{
    return {16, sizeHint().height()};
}

void FormulaWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(*this);
    const double pixels = fittingPixels(m_formula, m_pixels, width(), theme);
    const double top = (height() - formulaSize(m_formula, pixels, theme).height()) / 2.0;
    paintFormula(painter, {0.0, top}, m_formula, pixels, theme);
}

void FormulaWidget::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Copy as LaTeX"), this,
                   [this] { QApplication::clipboard()->setText(latexText(m_formula)); });
    menu.exec(event->globalPos());
}

} // namespace headscope::ui
