#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/worked/known_matrices.h"
#include "ui/widgets/worked/whole_formula.h"

#include <cstddef>

namespace headscope::ui {

/// The whole formula of a worked example with the current operation lit, and below it the matrices
/// known so far, small. A click or Enter on one goes to the step that made it.
class WorkedOverview : public DrawnWidget
{
    Q_OBJECT

public:
    explicit WorkedOverview(QWidget* parent = nullptr);

    enum class Shows { Formula, FormulaAndMatrices };

    void setDiagram(WorkedDiagram diagram, Shows shows = Shows::FormulaAndMatrices);

    /// Formula placed at a position, in a type size.
    struct Line
    {
        Math formula;
        QPointF corner;
        double pixels = 0.0;
    };

    const std::vector<Line>& formulas() const;
    const KnownMatrices& matrices() const;

    int smallestHeight(Shows shows) const; ///< Height below which it is not worth showing.

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepWanted(std::size_t done); ///< Emitted to go to the state after that many steps.

protected:
    int itemCount() const override { return static_cast<int>(matrices().blocks().size()); }

    QRectF itemRect(int item) const override;
    QString itemText(int item) const override;
    QString itemToolTip(int item) const override;
    QString description() const override;

    void clickItem(int item) override;
    bool openItem(int item) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut() const;
    void layOutWith(double part, QRectF area, const Theme& theme) const;
    bool placeFormulas(const std::vector<Math>& formulas, QRectF area, double pixels,
                       const Theme& theme) const;
    const WorkedMatrix& matrixOf(int item) const;
    std::size_t firstStepOf(int matrix) const;

    WorkedDiagram m_diagram;
    Shows m_shows = Shows::FormulaAndMatrices;
    std::vector<Math> m_formulas;
    mutable std::vector<Line> m_lines;
    mutable KnownMatrices m_matrices;
    mutable double m_formulaBottom = 0.0;
    mutable bool m_isOld = true;
};

} // namespace headscope::ui
