#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/worked/worked_formula.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace headscope::ui {

/// Lines of the live equation.
struct WorkedEquation
{
    WorkedEquation() = default;

    /// Breaks the equation into as few lines as the largest type allows at this width; place() sets
    /// their position.
    WorkedEquation(const WorkedDiagram& diagram, double room, const Theme& theme);

    void place(QPointF corner, double right);

    double height() const { return area.height() + general.height(); }

    LiveFormula formula;
    double pixels = 24.0;
    std::vector<Math> lines;
    QRectF area;    ///< Area of the lines with the result.
    QRectF general; ///< Area of the general formula below.
};

void paintEquation(QPainter& painter, const WorkedEquation& equation, const WorkedDiagram& diagram,
                   const Theme& theme);

} // namespace headscope::ui
