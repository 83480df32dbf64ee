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

    QString name;            ///< in the read-out: "validation"
    QString ending;          ///< beside its end, after a square; empty: the name
    Tone tone = Tone::Plain; ///< Head: the hue of `slot`
    int slot = 0;            ///< from 8 on dashed
    bool dashed = false;
    std::vector<QPointF> points; ///< rising in x; y that is not finite: a gap
    std::vector<QPointF> raw;    ///< what was smoothed, faint behind it; may be empty
};

/// A stretch in which something appeared.
struct ChartJump
{
    double from = 0.0;
    double to = 0.0;
    QString title;                           ///< "Jump at step 240"
    QString text;                            ///< "copying appears in layer 1"
    std::optional<double> at = std::nullopt; ///< where its line stands; none: at `from`

    double line() const { return at.value_or(from); }
};

/// One moment: settings were changed, or the run ended badly.
struct ChartMark
{
    double x = 0.0;
    QString text;
    bool isFault = false;
};

struct LineChartContent
{
    QString title;
    QString note;           ///< beside the title while nothing is pointed at
    QString unit;           ///< of x: "step"
    int unitDecimals = 0;   ///< of x in words
    QString unitBelow;      ///< of x, under its numbers; may be empty
    double rightRoom = 0.0; ///< for the names at the curves' ends; 0: as all charts of a run
    std::vector<LineChartCurve> curves;
    std::vector<ChartJump> jumps;
    std::vector<ChartMark> marks;
    ChartAxis x;
    ChartAxis y;
    bool perplexity = false;      ///< y is nats: exp(y) stands at the right
    bool numbersBelow = false;    ///< of x; otherwise a timeline beneath has them
    int decimals = 3;             ///< of values in words; -1: three digits, however small
    std::optional<double> cursor; ///< read out
    std::optional<double> shown;  ///< the moment that the views show

    bool isEmpty() const;

    /// Every x at which some curve has a point, rising.
    std::vector<double> places() const;
};

/// The same with y smoothed over `radius` points before and behind (core/runs/smoothing.h).
std::vector<QPointF> smoothedPoints(const std::vector<QPointF>& points, std::size_t radius);

/// The value of the last of some points, rising in x, at or before `x`; nothing before the first.
std::optional<double> valueAt(const std::vector<QPointF>& points, double x);

/// The range of y around all finite values of the curves (of what is drawn), from 0 where that is
/// near.
ChartAxis axisOf(const std::vector<LineChartCurve>& curves, bool logarithmic);

QString chartNumber(const LineChartContent& content, double value);

/// "step 400: validation 1.920, training 2.310, perplexity 6.82".
QString describePlace(const LineChartContent& content, double x);

} // namespace headscope::ui
