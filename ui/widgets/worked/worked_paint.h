#pragma once

#include "ui/widgets/worked/worked_rings.h"

#include <vector>

class QPainter;

namespace headscope::ui {

/// Paints everything on an existing background: on screen, in SVG and PDF alike.
void paintWorked(QPainter& painter, const WorkedLayout& layout, const WorkedDiagram& diagram,
                 const std::vector<WorkedRing>& rings, const Theme& theme);

} // namespace headscope::ui
