#pragma once

#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// One curve over the integers first, first + 1, ...
struct ChartCurve
{
    QString label;
    std::vector<double> values;
    int hue = 0;        ///< Index of Theme::waveHue; -1: the neutral bar colour.
    bool steps = false; ///< Points in place of a line, for values that jump.
};

struct ChartContent
{
    QString title;
    QString about;
    QString axis; ///< Axis label such as "distance in tokens".
    std::vector<ChartCurve> curves;
    int first = 0;
    std::optional<int> marked; ///< Marked value on the horizontal axis.
    QString markedText;
    int decimals = 2;
};

void paintChart(QPainter& painter, QRectF area, const ChartContent& content, const Theme& theme);

} // namespace headscope::ui
