#pragma once

#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// One curve over the whole numbers first, first + 1, ...
struct ChartCurve
{
    QString label;
    std::vector<double> values;
    int hue = 0;        ///< of Theme::waveHue; -1: the quiet bar colour
    bool steps = false; ///< points instead of a line: values that jump
};

struct ChartContent
{
    QString title;
    QString about;
    QString axis; ///< "distance in tokens"
    std::vector<ChartCurve> curves;
    int first = 0;
    std::optional<int> marked; ///< on the horizontal axis
    QString markedText;
    int decimals = 2;
};

void paintChart(QPainter& painter, QRectF area, const ChartContent& content, const Theme& theme);

} // namespace headscope::ui
