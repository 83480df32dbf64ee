#pragma once

#include "ui/widgets/charts/line_chart_layout.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <vector>

class QPainter;

namespace headscope::ui {

/// A curve as the picture shows it, in pixels.
struct DrawnCurve
{
    const LineChartCurve* curve = nullptr;
    std::vector<QPointF> points;
    std::vector<std::size_t> gaps; ///< places in points that nothing joins to those before
    std::vector<QPointF> raw;
};

/// Two lines of text beside each jump, then one beside each mark, where they hide least; `taken`
/// are places that must stay free, and gets theirs.
void paintChartTexts(QPainter& painter, const LineChartLayout& layout,
                     const LineChartContent& content, const std::vector<DrawnCurve>& curves,
                     std::vector<QRectF> taken, const Theme& theme);

} // namespace headscope::ui
