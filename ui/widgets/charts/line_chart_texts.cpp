#include "ui/widgets/charts/line_chart_texts.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// How much of a curve lies in `place`: its length there, in pieces of a few pixels.
double inside(const QRectF& place, const std::vector<QPointF>& points)
{
    constexpr double kPiece = 4.0;
    double pieces = 0.0;
    for (std::size_t index = 1; index < points.size(); ++index) {
        const QPointF from = points[index - 1];
        const QPointF way = points[index] - from;
        if (std::max(from.x(), points[index].x()) < place.left() || from.x() > place.right())
            continue;
        const int count = 1 + static_cast<int>(std::hypot(way.x(), way.y()) / kPiece);
        for (int piece = 0; piece < count; ++piece)
            pieces += place.contains(from + way * (double(piece) / count)) ? 1.0 : 0.0;
    }
    return pieces;
}

double clutter(const QRectF& place, const std::vector<DrawnCurve>& curves,
               const std::vector<QRectF>& taken)
{
    double hidden = 0.0;
    for (const DrawnCurve& drawn : curves)
        hidden += 4.0 * inside(place, drawn.points) + inside(place, drawn.raw);
    for (const QRectF& other : taken)
        hidden += other.intersects(place) ? 1e6 : 0.0;
    return hidden;
}

/// Beside a stretch from `left` to `right`, in the row and on the side where it hides least.
QRectF freePlace(QSizeF size, double left, double right, const QRectF& plot,
                 const std::vector<DrawnCurve>& curves, const std::vector<QRectF>& taken)
{
    const double starts[] = {left + 8, left - 8 - size.width(), right + 8,
                             plot.right() - size.width() - 4};
    QRectF best;
    double least = 1e300;
    for (double y = plot.top() + 6; y + size.height() <= plot.bottom(); y += size.height() / 2) {
        double far = 0.0; // the sooner the better
        for (const double start : starts) {
            const QRectF place(QPointF(start, y), size);
            const bool fits = place.left() >= plot.left() && place.right() <= plot.right();
            const double hidden = clutter(place, curves, taken) + (fits ? 0.0 : 1e5) + far;
            if (hidden < 1.0)
                return place; // it hides nothing
            if (hidden < least) {
                least = hidden;
                best = place;
            }
            far += 0.25;
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
        const double x = layout.x(jump.line());
        const QRectF place =
            freePlace({width, rows * line}, x, layout.x(jump.to), layout.plot(), curves, taken);
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
            freePlace({width, 18.0 * theme.scale()}, x, x, layout.plot(), curves, taken);
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
