#pragma once

#include "ui/widgets/charts/bars.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace headscope::ui {

struct MathNode;
/// A formula as a tree of boxes: immutable, cheap to share.
using Math = std::shared_ptr<const MathNode>;

namespace math {
Math text(const QString& characters, Role role = Role::Plain);     ///< upright: numbers, sin, =
Math variable(const QString& characters, Role role = Role::Plain); ///< italic
Math strong(const QString& characters, Role role = Role::Plain);   ///< bold: the result
Math row(std::vector<Math> parts);
Math scripts(Math base, Math superscript, Math subscript = nullptr);
Math fraction(Math numerator, Math denominator);
Math root(Math radicand);
/// Brackets as tall as what they hold: one of ( [ { | or "." for none, and its partner.
Math fenced(const QString& open, Math inside, const QString& close);
Math space(double em);
} // namespace math

QString spokenText(const Math& formula); ///< "softmax of Q K transpose over root d k"
QString latexText(const Math& formula);

QSizeF formulaSize(const Math& formula, double pixels, const Theme& theme);
double formulaDescent(const Math& formula, double pixels,
                      const Theme& theme); ///< below the baseline
/// Top left corner at `origin`; returns the baseline's y.
double paintFormula(QPainter& painter, QPointF origin, const Math& formula, double pixels,
                    const Theme& theme);

class FormulaWidget : public QWidget
{
    Q_OBJECT

public:
    explicit FormulaWidget(QWidget* parent = nullptr);

    void setFormula(Math formula, double pixels = 17.0);

    const Math& formula() const { return m_formula; }

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
