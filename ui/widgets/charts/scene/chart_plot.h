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
    double place = 0.0; ///< ChartAxis::place: 0 at the low end, 1 at the high end
    QString text;

    friend bool operator==(const ChartTick&, const ChartTick&) = default;
};

struct ChartTicks
{
    std::vector<ChartTick> ticks; ///< rising; none: no numbers on this side
    QFont font;
    QColor text;
    QColor line; ///< of the grid, or of the axis

    friend bool operator==(const ChartTicks&, const ChartTicks&) = default;
};

struct ChartLine
{
    QPen pen;
    QList<QPointF> points; ///< places: (0, 0) lower left in the plot, (1, 1) upper right

    friend bool operator==(const ChartLine&, const ChartLine&) = default;
};

struct ChartDot
{
    QPointF place; ///< as points of a ChartLine
    double radius = 4.0;
    QColor fill;
    QColor rim;

    friend bool operator==(const ChartDot&, const ChartDot&) = default;
};

struct ChartBox
{
    QRectF area; ///< pixels of the chart
    QColor colour;

    friend bool operator==(const ChartBox&, const ChartBox&) = default;
};

struct ChartText
{
    QRectF area; ///< pixels of the chart; the text may be longer
    Qt::Alignment alignment;
    QFont font;
    QColor colour;
    QString text;

    friend bool operator==(const ChartText&, const ChartText&) = default;
};

/// The place nearest to `place` that is a whole number of pixels from the ends of `length`.
double onPixel(double place, double length);

QRectF onPixels(const QRectF& area); ///< with its edges on whole pixels

/// A place of `length` pixels where a pen of that width is whole: Qt Charts cuts what is drawn
/// at the edge of the plot.
double keptInside(double place, double penWidth, double length);

/// Everything that a ChartScene shows, as values. Lines and dots have places of ChartAxis instead
/// of values: Qt Charts knows no difference below 1e-12 and no logarithms with ticks of our choice,
/// and its ranges never change this way.
struct ChartPlot
{
    QSizeF size;                  ///< of the whole chart
    QRectF area;                  ///< of the curves in it, whole pixels
    ChartTicks left;              ///< with a line of the grid each
    ChartTicks below;             ///< with an axis and short strokes
    ChartTicks right;             ///< numbers alone
    std::vector<ChartBox> bands;  ///< behind everything
    std::vector<ChartLine> lines; ///< the last is on top
    std::vector<ChartDot> dots;   ///< on top of the lines
    std::vector<ChartBox> boxes;  ///< on top of the dots
    std::vector<ChartText> texts;
};

} // namespace headscope::ui
