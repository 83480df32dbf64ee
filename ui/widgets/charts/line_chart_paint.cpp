#include "ui/widgets/charts/line_chart_paint.h"

#include "ui/widgets/charts/decimate.h"
#include "ui/widgets/charts/line_chart_texts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kLabelPitch = 15.0;
constexpr double kSquare = 10.0;
constexpr int kTicks = 5;
constexpr int kTimeTicks = 7;

QString tr(const char* text)
{
    return QCoreApplication::translate("LineChart", text);
}

QColor colourOf(const LineChartCurve& curve, const Theme& theme)
{
    switch (curve.tone) {
    case LineChartCurve::Tone::Subject:
        return theme.accent;
    case LineChartCurve::Tone::Plain:
        return theme.text2;
    case LineChartCurve::Tone::Head:
        return theme.heads[static_cast<std::size_t>(curve.slot) % theme.heads.size()];
    }
    return theme.text2;
}

bool isDashed(const LineChartCurve& curve, const Theme& theme)
{
    return curve.dashed || (curve.tone == LineChartCurve::Tone::Head &&
                            curve.slot >= static_cast<int>(theme.heads.size()));
}

std::vector<QPointF> placed(const std::vector<QPointF>& points, const LineChartLayout& layout,
                            const LineChartContent& content)
{
    std::vector<QPointF> places;
    places.reserve(points.size());
    const QRectF plot = layout.plot();
    for (const QPointF& point : points) {
        const bool isInside = point.x() >= content.x.low || !content.x.logarithmic;
        if (isInside && std::isfinite(point.y()))
            places.emplace_back(layout.x(point.x()),
                                std::clamp(layout.y(point.y()), plot.top(), plot.bottom()));
    }
    return decimated(places, std::max(1, static_cast<int>(plot.width())));
}

/// Stretches of finite values, one after the other.
void placeStretches(DrawnCurve& drawn, const LineChartLayout& layout,
                    const LineChartContent& content)
{
    const auto& points = drawn.curve->points;
    const auto isFinite = [](const QPointF& point) { return std::isfinite(point.y()); };
    auto begin = points.begin();
    while (begin != points.end()) {
        const auto end = std::find_if_not(begin, points.end(), isFinite);
        const auto stretch = placed({begin, end}, layout, content);
        if (!stretch.empty() && !drawn.points.empty())
            drawn.gaps.push_back(drawn.points.size());
        drawn.points.insert(drawn.points.end(), stretch.begin(), stretch.end());
        begin = std::find_if(end, points.end(), isFinite);
    }
}

std::vector<DrawnCurve> drawnCurves(const LineChartLayout& layout, const LineChartContent& content)
{
    std::vector<DrawnCurve> drawn;
    for (const LineChartCurve& curve : content.curves) {
        drawn.push_back({&curve, {}, {}, placed(curve.raw, layout, content)});
        placeStretches(drawn.back(), layout, content);
    }
    return drawn;
}

QVector<QLineF> segments(const std::vector<QPointF>& points,
                         const std::vector<std::size_t>& gaps = {})
{
    QVector<QLineF> lines;
    lines.reserve(static_cast<qsizetype>(points.size()));
    for (std::size_t index = 1; index < points.size(); ++index)
        if (std::find(gaps.begin(), gaps.end(), index) == gaps.end())
            lines.append({points[index - 1], points[index]});
    return lines;
}

/// One line after the other, so that dashes run on.
void drawStretches(QPainter& painter, const DrawnCurve& drawn)
{
    std::size_t begin = 0;
    for (std::size_t index = 0; index <= drawn.gaps.size(); ++index) {
        const std::size_t end = index < drawn.gaps.size() ? drawn.gaps[index] : drawn.points.size();
        painter.drawPolyline(
            QPolygonF(QVector<QPointF>(drawn.points.begin() + static_cast<std::ptrdiff_t>(begin),
                                       drawn.points.begin() + static_cast<std::ptrdiff_t>(end))));
        begin = end;
    }
}

void paintHeader(QPainter& painter, const LineChartLayout& layout, const LineChartContent& content,
                 const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Heading));
    painter.setPen(theme.text);
    const QRectF header = layout.header();
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, content.title);
    const double used = QFontMetricsF(painter.font()).horizontalAdvance(content.title) + 12.0;
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(content.cursor ? theme.text : theme.text3);
    const QString words = content.cursor ? describePlace(content, *content.cursor) : content.note;
    const QRectF rest = header.adjusted(used, 1, 0, 1);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, rest.width()));
}

void paintGrid(QPainter& painter, const LineChartLayout& layout, const LineChartContent& content,
               const Theme& theme)
{
    const QRectF plot = layout.plot();
    const double left = LineChartLayout::leftEdge(theme);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    for (const double tick : content.y.ticks(kTicks)) {
        const double y = std::round(layout.y(tick));
        painter.fillRect(QRectF(plot.x(), y, plot.width(), 1), theme.line);
        painter.drawText(QRectF(plot.x() - left, y - 10, left - 8, 20),
                         Qt::AlignRight | Qt::AlignVCenter, tickText(content.y, tick, kTicks));
    }
    if (!content.numbersBelow)
        return;
    for (const double tick : content.x.ticks(kTimeTicks)) {
        const double x = std::round(layout.x(tick));
        painter.fillRect(QRectF(x, plot.bottom(), 1, 4), theme.line2);
        painter.drawText(QRectF(x - 40, plot.bottom() + 6, 80, 18), Qt::AlignCenter,
                         tickText(content.x, tick, kTimeTicks));
    }
    painter.drawText(layout.below(), Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(painter.font())
                         .elidedText(content.unitBelow, Qt::ElideRight, layout.below().width()));
}

/// 1, 3, 10, 30 ...: as many as stand apart, and not behind the curves' labels.
void paintPerplexities(QPainter& painter, const LineChartLayout& layout, const Theme& theme,
                       const std::vector<QRectF>& taken)
{
    const QRectF plot = layout.plot();
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    const double pitch = 18.0 * theme.scale();
    const double width = LineChartLayout::rightEdge(theme) - 8.0;
    const auto write = [&](double y, const QString& text) {
        const QRectF place(plot.right() + 8, y - 9, width, 18);
        const double used = QFontMetricsF(painter.font()).horizontalAdvance(text);
        const QRectF ink(place.x(), place.y() + 2, used, place.height() - 4);
        const bool isFree = std::none_of(taken.begin(), taken.end(), [&ink](const QRectF& other) {
            return other.intersects(ink);
        });
        if (isFree)
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    double free = plot.bottom() + pitch;
    for (double power = 1.0; power <= 1e6; power *= 10.0) {
        for (const double factor : {1.0, 3.0}) {
            const double y = layout.y(std::log(factor * power));
            if (y < plot.top() + pitch / 2 || y > plot.bottom() + 1 || y > free - pitch)
                continue;
            free = y;
            write(y, number(factor * power, 0));
        }
    }
    write(plot.top() - pitch / 2, tr("perplexity"));
}

void paintBands(QPainter& painter, const LineChartLayout& layout, const LineChartContent& content,
                const Theme& theme)
{
    const QRectF plot = layout.plot();
    for (const ChartJump& jump : content.jumps) {
        const double left = layout.x(jump.from);
        const double right = std::clamp(layout.x(jump.to), left, plot.right());
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), theme.warnSoft);
    }
}

void paintVertical(QPainter& painter, const QRectF& plot, double x, const QPen& pen)
{
    if (x < plot.left() - 1 || x > plot.right() + 1)
        return;
    painter.setPen(pen);
    painter.drawLine(QPointF(std::round(x) + 0.5, plot.top()),
                     QPointF(std::round(x) + 0.5, plot.bottom()));
}

void paintMarks(QPainter& painter, const LineChartLayout& layout, const LineChartContent& content,
                const Theme& theme)
{
    const QRectF plot = layout.plot();
    for (const ChartJump& jump : content.jumps)
        paintVertical(painter, plot, layout.x(jump.line()), QPen(theme.warn, 1.5));
    for (const ChartMark& mark : content.marks) {
        QPen pen(mark.isFault ? theme.error : theme.control, mark.isFault ? 1.5 : 1.0);
        pen.setDashPattern({3, 3});
        paintVertical(painter, plot, layout.x(mark.x), pen);
    }
    if (content.shown)
        paintVertical(painter, plot, layout.x(*content.shown), QPen(theme.accent, 1.0));
}

void paintRaw(QPainter& painter, const std::vector<DrawnCurve>& curves, const Theme& theme)
{
    QPen pen(theme.line2, 1.0); // a band of upright strokes needs no smooth edges
    pen.setCosmetic(true);
    painter.setPen(pen);
    for (const DrawnCurve& drawn : curves)
        painter.drawLines(segments(drawn.raw));
}

void paintCurve(QPainter& painter, const DrawnCurve& drawn, const Theme& theme)
{
    const QColor colour = colourOf(*drawn.curve, theme);
    const bool isSubject = drawn.curve->tone == LineChartCurve::Tone::Subject;
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(colour, isSubject ? 2.5 : 2.0);
    pen.setCapStyle(Qt::RoundCap);
    painter.setPen(pen);
    if (isDashed(*drawn.curve, theme)) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({6.0 / pen.widthF(), 4.0 / pen.widthF()});
        painter.setPen(pen);
        drawStretches(painter, drawn);
    } else {
        painter.drawLines(segments(drawn.points, drawn.gaps));
    }
    if (!drawn.points.empty()) {
        painter.setPen(QPen(theme.surface, 1.5));
        painter.setBrush(colour);
        painter.drawEllipse(drawn.points.back(), 4, 4);
        painter.setBrush(Qt::NoBrush);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// -------------------------------------------------------------------------------------- labels

struct EndLabel
{
    const LineChartCurve* curve = nullptr;
    double y = 0.0;
    QRectF place;
};

/// Beside the last point of the longest curve, moved apart.
std::vector<EndLabel> endLabels(const LineChartLayout& layout,
                                const std::vector<DrawnCurve>& curves, const Theme& theme)
{
    const double pitch = kLabelPitch * theme.scale();
    const QRectF plot = layout.plot();
    std::vector<EndLabel> labels;
    double right = plot.left();
    for (const DrawnCurve& drawn : curves) {
        if (drawn.points.empty())
            continue;
        labels.push_back({drawn.curve, drawn.points.back().y(), {}});
        right = std::max(right, drawn.points.back().x());
    }
    std::stable_sort(labels.begin(), labels.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
    for (std::size_t index = 1; index < labels.size(); ++index)
        labels[index].y = std::max(labels[index].y, labels[index - 1].y + pitch);
    double limit = plot.bottom() + 4.0;
    for (std::size_t index = labels.size(); index-- > 0; limit -= pitch)
        labels[index].y = std::min(labels[index].y, limit);
    const QFontMetricsF metrics(theme.bold(TextRole::Body));
    for (EndLabel& label : labels) {
        const QString& text =
            label.curve->ending.isEmpty() ? label.curve->name : label.curve->ending;
        label.place = {std::min(right, plot.right()) + 10, label.y - pitch / 2,
                       kSquare + 6 + metrics.horizontalAdvance(text), pitch};
    }
    return labels;
}

/// `room` right of the curves; 0: whatever there is.
void paintEnds(QPainter& painter, const std::vector<EndLabel>& labels, double room,
               const Theme& theme)
{
    painter.setFont(theme.bold(TextRole::Body));
    for (const EndLabel& label : labels) {
        const QString& text =
            label.curve->ending.isEmpty() ? label.curve->name : label.curve->ending;
        painter.fillRect(QRectF(label.place.x(), std::round(label.y) - 5, kSquare, kSquare),
                         colourOf(*label.curve, theme));
        painter.setPen(theme.text);
        const double most = room > 0.0 ? room - kSquare - 16.0 : 200.0;
        painter.drawText(QRectF(label.place.x() + kSquare + 6, label.y - 10, most, 20),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, most));
    }
}

void paintCursor(QPainter& painter, const LineChartLayout& layout, const LineChartContent& content,
                 const Theme& theme)
{
    if (!content.cursor)
        return;
    paintVertical(painter, layout.plot(), layout.x(*content.cursor), QPen(theme.control, 1.0));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.surface, 1.5));
    for (const LineChartCurve& curve : content.curves) {
        const auto value = valueAt(curve.points, *content.cursor);
        if (!value || !std::isfinite(*value))
            continue;
        painter.setBrush(colourOf(curve, theme));
        painter.drawEllipse(layout.at({*content.cursor, *value}), 4.5, 4.5);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void paintLineChart(QPainter& painter, const LineChartLayout& layout,
                    const LineChartContent& content, const Theme& theme)
{
    paintHeader(painter, layout, content, theme);
    paintBands(painter, layout, content, theme);
    paintGrid(painter, layout, content, theme);
    const std::vector<DrawnCurve> curves = drawnCurves(layout, content);
    paintRaw(painter, curves, theme);
    paintMarks(painter, layout, content, theme);
    for (auto drawn = curves.rbegin(); drawn != curves.rend(); ++drawn)
        paintCurve(painter, *drawn, theme); // the first lies on top
    paintCursor(painter, layout, content, theme);
    const std::vector<EndLabel> labels = endLabels(layout, curves, theme);
    paintEnds(painter, labels, content.rightRoom, theme);
    std::vector<QRectF> taken;
    for (const EndLabel& label : labels)
        taken.push_back(label.place);
    if (content.perplexity && !content.isEmpty())
        paintPerplexities(painter, layout, theme, taken);
    paintChartTexts(painter, layout, content, curves, std::move(taken), theme);
}

} // namespace headscope::ui
