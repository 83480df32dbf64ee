#pragma once

#include "ui/widgets/style/theme.h"

#include <QPainter>

#include <optional>

namespace headscope::ui {

/// Paints a frame of whole logical pixels inside `rect`.
void fillFrame(QPainter& painter, const QRectF& rect, double thickness, const QColor& colour);

/// Paints the cursor's ring around a cell, 2 px text colour outside and 2 px surface inside, so that
/// it is visible on any colour; small cells have it outside.
void paintCellRing(QPainter& painter, const QRectF& cell, const Theme& theme);

/// The larger of two fonts in which a number fits a cell; none if it fits in neither.
std::optional<QFont> cellNumberFont(const QString& text, const QSizeF& cell, const Theme& theme);

/// Draws an arrow of the current pen.
void drawArrow(QPainter& painter, QPointF from, QPointF to);

} // namespace headscope::ui
