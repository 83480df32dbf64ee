#pragma once

#include "ui/widgets/worked/worked_paint.h"

namespace headscope::ui {

/// What is drawn over and below the matrices of a worked example.
void paintRings(QPainter& painter, const std::vector<WorkedRing>& rings, const Theme& theme);

/// A line from every operand to the result, through gaps and gutters: no number is crossed.
void paintConnections(QPainter& painter, const WorkedLayout& layout,
                      const std::vector<WorkedRing>& rings, const Theme& theme);

void paintEquation(QPainter& painter, const WorkedEquation& equation, const WorkedPicture& picture,
                   const Theme& theme);

} // namespace headscope::ui
