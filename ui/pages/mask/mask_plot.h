#pragma once

#include "ui/widgets/heatmap/heatmap.h"

namespace headscope::ui {

/// Map of the keys each query can attend to: 1 visible; hidden cells are masked.
HeatmapContent maskContent(const QStringList& tokens, const HeatmapMask& mask);
HeatmapContent maskContent(const QStringList& queries, const QStringList& keys,
                           const HeatmapMask& mask);

/// Text such as "each token attends to 3 tokens: itself and the ones before".
QString describeMask(const HeatmapMask& mask);

/// Text such as "105 of 196 pairs visible".
QString countAllowed(const HeatmapContent& content);

/// Two swatches with their labels.
void paintMaskLegend(QPainter& painter, QRectF area, const HeatmapContent& content,
                     const Theme& theme);

} // namespace headscope::ui
