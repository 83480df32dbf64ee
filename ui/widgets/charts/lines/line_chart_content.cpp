#include "ui/widgets/charts/lines/line_chart_content.h"

#include "core/runs/smoothing.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

constexpr int kTicks = 5;

} // namespace

bool LineChartContent::isEmpty() const
{
    return std::all_of(curves.begin(), curves.end(), [](const LineChartCurve& curve) {
        return curve.points.empty() && curve.raw.empty();
    });
}

std::vector<double> LineChartContent::places() const
{
    std::vector<double> all;
    for (const LineChartCurve& curve : curves) {
        for (const QPointF& point : curve.points)
            all.push_back(point.x());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<QPointF> smoothedPoints(const std::vector<QPointF>& points, std::size_t radius)
{
    std::vector<double> values;
    for (const QPointF& point : points)
        values.push_back(point.y());
    const std::vector<double> smooth = smoothed(values, radius);
    std::vector<QPointF> result;
    for (std::size_t index = 0; index < points.size(); ++index)
        result.emplace_back(points[index].x(), smooth[index]);
    return result;
}

std::optional<double> valueAt(const std::vector<QPointF>& points, double x)
{
    const auto after =
        std::upper_bound(points.begin(), points.end(), x,
                         [](double wanted, const QPointF& point) { return wanted < point.x(); });
    if (after == points.begin())
        return std::nullopt;
    return std::prev(after)->y();
}

ChartAxis axisOf(const std::vector<LineChartCurve>& curves, bool logarithmic)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto take = [&](const std::vector<QPointF>& points) {
        for (const QPointF& point : points) {
            if (!std::isfinite(point.y()) || (logarithmic && point.y() <= 0.0))
                continue;
            low = std::min(low, point.y());
            high = std::max(high, point.y());
        }
    };
    for (const LineChartCurve& curve : curves) {
        take(curve.points);
        take(curve.raw);
    }
    if (low > high)
        return {logarithmic ? 0.1 : 0.0, 1.0, logarithmic};
    if (!logarithmic && low > 0.0 && low < 0.6 * high)
        low = 0.0;
    return axisAround(low, high, kTicks, logarithmic);
}

QString chartNumber(const LineChartContent& content, double value)
{
    if (!std::isfinite(value))
        return tr("not finite");
    const double size = std::abs(value);
    const bool readable = size == 0.0 || (size >= 0.01 && size < 1e6);
    if (content.decimals < 0 && !readable)
        return scientific(value, 3);
    return number(value, content.decimals < 0 ? (size < 1.0 ? 4 : 2) : content.decimals);
}

QString describePlace(const LineChartContent& content, double x)
{
    QStringList parts;
    for (const LineChartCurve& curve : content.curves) {
        const auto value = valueAt(curve.points, x);
        if (!value)
            continue;
        parts << tr("%1 %2").arg(curve.name, chartNumber(content, *value));
        if (const auto measured = valueAt(curve.raw, x))
            parts.back() += tr(" (measured %1)").arg(chartNumber(content, *measured));
    }
    const auto loss =
        content.curves.empty() ? std::nullopt : valueAt(content.curves.front().points, x);
    if (content.perplexity && loss && std::isfinite(*loss))
        parts << tr("perplexity %1").arg(number(std::exp(*loss), 2));
    for (const ChartMark& mark : content.marks) {
        if (mark.x == x)
            parts << mark.text;
    }
    for (const ChartJump& jump : content.jumps) {
        if (jump.from <= x && x <= jump.to)
            parts << jump.title + QLatin1Char(' ') + jump.text;
    }
    return tr("%1 %2: %3")
        .arg(content.unit, number(x, content.unitDecimals), parts.join(QStringLiteral(", ")));
}

} // namespace headscope::ui
