#pragma once

#include "ui/pages/shared/stages/lab_arrangement.h"
#include "ui/pages/shared/stages/lab_content.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// Size request of a figure, without title and caption.
RoomNeed roomNeed(const LabPlot& plot, const Theme& theme);

/// Draws a figure without a widget, for files. `frame` of tiles: number of finished ones.
void paintDiagram(QPainter& painter, const QRectF& area, const LabPlot& plot, const Theme& theme,
                  const FigureTarget& target, int frame = -1);

} // namespace headscope::ui
