#pragma once

#include "ui/widgets/worked/worked_layout.h"

#include <QColor>

#include <vector>

class QPainter;

namespace headscope::ui {

/// Frame around related cells: operands of one matrix, or the result.
struct WorkedRing
{
    int matrix = 0;
    QRectF cells;
    QColor colour;
    bool isResult = false;
};

/// Rings of the highlighted step; operands in their order, the result last.
std::vector<WorkedRing> workedRings(const WorkedLayout& layout, const WorkedDiagram& diagram,
                                    const Theme& theme);

/// Interpolated rings between two steps.
std::vector<WorkedRing> ringsBetween(const std::vector<WorkedRing>& from,
                                     const std::vector<WorkedRing>& to, double fraction);

void paintRings(QPainter& painter, const std::vector<WorkedRing>& rings, const Theme& theme);

/// Paints a line from every operand to the result, through gaps and gutters, without crossing
/// numbers.
void paintConnections(QPainter& painter, const WorkedLayout& layout,
                      const std::vector<WorkedRing>& rings, const Theme& theme);

} // namespace headscope::ui
