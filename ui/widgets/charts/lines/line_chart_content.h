#pragma once

#include "ui/widgets/charts/scene/chart_axis.h"

#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

struct LineChartCurve
{
    enum class Tone { Subject, Plain, Head };

    QString name;            ///< Name in the read-out, such as "validation".
    QString ending;          ///< Label at the curve's end, after a square; empty: the name.
    Tone tone = Tone::Plain; ///< Colour; Head: the hue of `slot`.
    int slot = 0;            ///< Slot of the hue; from 8 on dashed.
    bool dashed = false;
    std::vector<QPointF> points; ///< Points by ascending x; a y that is not finite is a gap.
    std::vector<QPointF> raw;    ///< Points before smoothing, drawn faintly behind; may be empty.
};

/// Range of steps in which a behaviour appeared.
struct ChartJump
{
    double from = 0.0;
    double to = 0.0;
    QString title;                           ///< Title, such as "Jump at step 240".
    QString text;                            ///< Description, such as "copying appears in layer 1".
    std::optional<double> at = std::nullopt; ///< Position of its line; none: at `from`.

    double line() const { return at.value_or(from); }
};

/// Step at which settings were changed or the run failed.
struct ChartMark
{
    double x = 0.0;
    QString text;
    bool isFault = false;
};

struct LineChartContent
{
    QString title;
    QString note;         ///< Text beside the title while nothing is hovered.
    QString unit;         ///< Unit of x, such as "step".
    int unitDecimals = 0; ///< Decimals of x in texts.
    QString unitBelow;    ///< Unit of x, under its numbers; may be empty.
    /// Space for the names at the curves' ends; 0: as in all charts of a run.
    double rightRoom = 0.0;
    std::vector<LineChartCurve> curves;
    std::vector<ChartJump> jumps;
    std::vector<ChartMark> marks;
    ChartAxis x;
    ChartAxis y;
    bool perplexity = false;   ///< True for y in nats; the right axis then shows exp(y).
    bool numbersBelow = false; ///< Shows the numbers of x; otherwise a timeline beneath has them.
    int decimals = 3;          ///< Decimals of values in texts; -1: three significant digits.
    std::optional<double> cursor; ///< Cursor position.
    std::optional<double> shown;  ///< Step of the shown snapshot.

    bool isEmpty() const;

    /// Every x at which some curve has a point, in ascending order.
    std::vector<double> places() const;
};

/// Points with y smoothed over `radius` points on either side (core/runs/smoothing.h).
std::vector<QPointF> smoothedPoints(const std::vector<QPointF>& points, std::size_t radius);

/// Value of the last point at or before `x`, for points in ascending x; nothing before the first.
std::optional<double> valueAt(const std::vector<QPointF>& points, double x);

/// Axis around all finite values of the drawn curves, from 0 where that is near.
ChartAxis axisOf(const std::vector<LineChartCurve>& curves, bool logarithmic);

QString chartNumber(const LineChartContent& content, double value);

/// Text such as "step 400: validation 1.920, training 2.310, perplexity 6.82".
QString describePlace(const LineChartContent& content, double x);

} // namespace headscope::ui
