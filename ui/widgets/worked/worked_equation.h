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

    /// In as few lines as the largest type allows in a room of this width; place() says where.
    WorkedEquation(const WorkedPicture& picture, double room, const Theme& theme);

    void place(QPointF corner, double right);

    double height() const { return area.height() + general.height(); }

    LiveFormula formula;
    double pixels = 24.0;
    std::vector<Math> lines;
    QRectF area;    ///< of the lines with the result
    QRectF general; ///< of the line beneath
};

void paintEquation(QPainter& painter, const WorkedEquation& equation, const WorkedPicture& picture,
                   const Theme& theme);

} // namespace headscope::ui
