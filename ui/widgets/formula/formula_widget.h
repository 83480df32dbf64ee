#pragma once

#include "ui/widgets/formula/math_node.h"

#include <QWidget>

namespace headscope::ui {

/// Draws one formula, smaller where it would not fit; its context menu copies it as LaTeX.
class FormulaWidget : public QWidget
{
    Q_OBJECT

public:
    FormulaWidget();

    void setFormula(Math formula, double pixels = 17.0);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    Math m_formula;
    double m_pixels = 17.0;
};

} // namespace headscope::ui
