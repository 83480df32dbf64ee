#include "ui/widgets/line_chart_texts.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

/// How much of the curves lies in `place`, and of other texts.
double clutter(const QRectF& place, const std::vector<DrawnCurve>& curves,
               const std::vector<QRectF>& taken)
{
    double points = 0.0;
    for (const DrawnCurve& drawn : curves) {
        for (const QPointF& point : drawn.points)
            points += place.contains(point) ? 4.0 : 0.0;
        for (const QPointF& point : drawn.raw)
            points += place.contains(point) ? 1.0 : 0.0;
    }
    for (const QRectF& other : taken)
        points += other.intersects(place) ? 1e6 : 0.0;
    return points;
}

/// Beside the line at `x`, in the row and on the side where it hides least.
QRectF freePlace(QSizeF size, double x, const QRectF& plot, const std::vector<DrawnCurve>& curves,
                 const std::vector<QRectF>& taken)
{
    QRectF best;
    double least = 1e300;
    for (double y = plot.top() + 6; y + size.height() <= plot.bottom(); y += size.height() / 2) {
        for (const double left : {x + 8, x - 8 - size.width()}) {
            const QRectF place(QPointF(left, y), size);
            const bool fits = place.left() >= plot.left() && place.right() <= plot.right();
            const double hidden = clutter(place, curves, taken) + (fits ? 0.0 : 1e5);
            if (hidden < least) {
                least = hidden;
                best = place;
            }
        }
    }
    return best;
}

void paintJumpTexts(QPainter& painter, const LineChartLayout& layout,
                    const LineChartContent& content, const std::vector<DrawnCurve>& curves,
                    std::vector<QRectF>& taken, const Theme& theme)
{
    const QFontMetricsF title(theme.bold(TextRole::Body));
    const QFontMetricsF text(theme.font(TextRole::Caption));
    const double line = 18.0 * theme.scale();
    for (const ChartJump& jump : content.jumps) {
        const double width =
            std::max(title.horizontalAdvance(jump.title), text.horizontalAdvance(jump.text)) + 2;
        const double rows = jump.text.isEmpty() ? 1.0 : 2.0;
        const double x = layout.x(jump.from);
        const QRectF place = freePlace({width, rows * line}, x, layout.plot(), curves, taken);
        const auto side = place.x() > x ? Qt::AlignLeft : Qt::AlignRight;
        painter.setFont(theme.bold(TextRole::Body));
        painter.setPen(theme.warn);
        painter.drawText(QRectF(place.x(), place.y(), width, line), side | Qt::AlignVCenter,
                         jump.title);
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text2);
        painter.drawText(QRectF(place.x(), place.y() + line, width, line), side | Qt::AlignVCenter,
                         jump.text);
        taken.push_back(place);
    }
}

void paintMarkTexts(QPainter& painter, const LineChartLayout& layout,
                    const LineChartContent& content, const std::vector<DrawnCurve>& curves,
                    std::vector<QRectF>& taken, const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    for (const ChartMark& mark : content.marks) {
        const double width = metrics.horizontalAdvance(mark.text) + 2;
        const double x = layout.x(mark.x);
        const QRectF place =
            freePlace({width, 18.0 * theme.scale()}, x, layout.plot(), curves, taken);
        painter.setPen(mark.isFault ? theme.error : theme.text2);
        painter.drawText(place, Qt::AlignCenter, mark.text);
        taken.push_back(place);
    }
}

} // namespace

void paintChartTexts(QPainter& painter, const LineChartLayout& layout,
                     const LineChartContent& content, const std::vector<DrawnCurve>& curves,
                     std::vector<QRectF> taken, const Theme& theme)
{
    paintJumpTexts(painter, layout, content, curves, taken, theme);
    paintMarkTexts(painter, layout, content, curves, taken, theme);
}

} // namespace headscope::ui
