#pragma once

#include "ui/widgets/worked/worked_layout.h"

#include <QColor>

#include <vector>

class QPainter;

namespace headscope::ui {

/// A frame around cells that belong together: operands of one matrix, or the result.
struct WorkedRing
{
    int matrix = 0;
    QRectF cells;
    QColor colour;
    bool isResult = false;
};

/// Of the step that is lit; operands in their order, the result last.
std::vector<WorkedRing> workedRings(const WorkedLayout& layout, const WorkedPicture& picture,
                                    const Theme& theme);

/// On the way from one step's rings to the next one's.
std::vector<WorkedRing> ringsBetween(const std::vector<WorkedRing>& from,
                                     const std::vector<WorkedRing>& to, double share);

void paintRings(QPainter& painter, const std::vector<WorkedRing>& rings, const Theme& theme);

/// A line from every operand to the result, through gaps and gutters: no number is crossed.
void paintConnections(QPainter& painter, const WorkedLayout& layout,
                      const std::vector<WorkedRing>& rings, const Theme& theme);

} // namespace headscope::ui
