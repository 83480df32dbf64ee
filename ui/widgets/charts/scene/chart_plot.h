#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

namespace headscope::ui {

/// A number along one side of a plot.
struct ChartTick
{
    double place = 0.0; ///< Position as of ChartAxis::place: 0 at the low end, 1 at the high end.
    QString text;

    friend bool operator==(const ChartTick&, const ChartTick&) = default;
};

struct ChartTicks
{
    std::vector<ChartTick> ticks; ///< Ticks in ascending order; none: no numbers on this side.
    QFont font;
    QColor text;
    QColor line; ///< Colour of the grid, or of the axis.

    friend bool operator==(const ChartTicks&, const ChartTicks&) = default;
};

struct ChartLine
{
    QPen pen;
    /// Points in plot coordinates: (0, 0) is the lower left corner, (1, 1) the upper right one.
    QList<QPointF> points;

    friend bool operator==(const ChartLine&, const ChartLine&) = default;
};

struct ChartDot
{
    QPointF place; ///< Position in plot coordinates.
    double radius = 4.0;
    QColor fill;
    QColor rim;

    friend bool operator==(const ChartDot&, const ChartDot&) = default;
};

struct ChartBox
{
    QRectF area; ///< Area in pixels of the chart.
    QColor colour;

    friend bool operator==(const ChartBox&, const ChartBox&) = default;
};

struct ChartText
{
    QRectF area; ///< Area in pixels of the chart; the text may be longer.
    Qt::Alignment alignment;
    QFont font;
    QColor colour;
    QString text;

    friend bool operator==(const ChartText&, const ChartText&) = default;
};

/// Position nearest to `place` that is a whole number of pixels from the ends of `length`.
double onPixel(double place, double length);

QRectF onPixels(const QRectF& area); ///< Rectangle with its edges on whole pixels.

/// Position at which a pen of this width is not clipped: Qt Charts clips at the edge of the plot.
double keptInside(double place, double penWidth, double length);

/// Everything that a ChartScene shows, as values. Lines and dots have relative positions of
/// ChartAxis instead of values: Qt Charts ignores differences below 1e-12 and offers no custom
/// logarithmic ticks, and its ranges never change this way.
struct ChartPlot
{
    QSizeF size;                  ///< Size of the whole chart.
    QRectF area;                  ///< Area of the curves, on whole pixels.
    ChartTicks left;              ///< Ticks with a grid line each.
    ChartTicks below;             ///< Ticks with an axis and short strokes.
    ChartTicks right;             ///< Ticks with numbers only.
    std::vector<ChartBox> bands;  ///< Bands behind everything.
    std::vector<ChartLine> lines; ///< Lines; the last is on top.
    std::vector<ChartDot> dots;   ///< Dots above the lines.
    std::vector<ChartBox> boxes;  ///< Boxes above the dots.
    std::vector<ChartText> texts;
};

} // namespace headscope::ui
