#pragma once

#include "ui/widgets/heatmap/heatmap.h"

namespace headscope::ui {

/// Which key every query may look at, as a map: 1 may, hidden cells are masked.
HeatmapContent maskContent(const QStringList& tokens, const HeatmapMask& mask);
HeatmapContent maskContent(const QStringList& queries, const QStringList& keys,
                           const HeatmapMask& mask);

/// "each token looks back at 3 tokens, itself included"
QString describeMask(const HeatmapMask& mask);

/// "105 of 196 pairs may look"
QString countAllowed(const HeatmapContent& content);

/// Two swatches with their words.
void paintMaskLegend(QPainter& painter, QRectF area, const HeatmapContent& content,
                     const Theme& theme);

} // namespace headscope::ui
