#include "ui/pages/positions/positions_chart.h"

#include "ui/pages/positions/section_heading.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

struct Frame
{
    QRectF plot;
    double low = 0.0;
    double high = 1.0;
    int first = 0;
    int last = 1;

    double x(double value) const
    {
        return plot.x() + (value - first) / std::max(1, last - first) * plot.width();
    }

    double y(double value) const
    {
        return plot.bottom() - (value - low) / (high - low) * plot.height();
    }
};

Frame frameOf(QRectF area, const ChartContent& content, const Theme& theme)
{
    const double s = theme.scale();
    Frame frame;
    frame.plot = area.adjusted(56.0 * s, 34.0 * s, -96.0 * s, -44.0 * s);
    frame.first = content.first;
    frame.last = content.first + 1;
    double low = 0.0;
    double high = 0.0;
    for (const ChartCurve& curve : content.curves) {
        frame.last =
            std::max(frame.last, content.first + static_cast<int>(curve.values.size()) - 1);
        for (const double value : curve.values) {
            if (!std::isfinite(value))
                continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (high - low < 1e-12)
        high = low + 1.0;
    frame.low = low;
    frame.high = high;
    return frame;
}

void paintAxes(QPainter& painter, const Frame& frame, const ChartContent& content,
               const Theme& theme)
{
    const double s = theme.scale();
    painter.setFont(theme.font(TextRole::Caption));
    for (const double fraction : {0.0, 0.5, 1.0}) {
        const double value = frame.low + fraction * (frame.high - frame.low);
        const double y = std::round(frame.y(value));
        painter.fillRect(QRectF(frame.plot.x(), y, frame.plot.width(), 1.0), theme.line);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(frame.plot.x() - 66.0 * s, y - 10.0, 58.0 * s, 20.0),
                         static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                         number(value, content.decimals));
    }
    const int span = frame.last - frame.first;
    int step = std::max(1, span / 8);
    for (int tick = frame.first; tick <= frame.last; tick += step)
        painter.drawText(QRectF(frame.x(tick) - 30.0, frame.plot.bottom() + 4.0, 60.0, 18.0),
                         static_cast<int>(Qt::AlignCenter), number(tick, 0));
    painter.drawText(
        QRectF(frame.plot.x(), frame.plot.bottom() + 22.0 * s, frame.plot.width(), 18.0 * s),
        static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), content.axis);
}

QColor colourOf(const ChartCurve& curve, const Theme& theme)
{
    return curve.hue < 0 ? theme.bar : theme.waveHue(curve.hue % 8);
}

void paintCurve(QPainter& painter, const Frame& frame, const ChartCurve& curve, const Theme& theme)
{
    const QColor colour = colourOf(curve, theme);
    if (curve.steps) {
        for (std::size_t index = 0; index < curve.values.size(); ++index)
            painter.fillRect(QRectF(frame.x(frame.first + static_cast<double>(index)) - 2.0,
                                    frame.y(curve.values[index]) - 2.0, 4.0, 4.0),
                             colour);
        return;
    }
    std::vector<QLineF> lines;
    for (std::size_t index = 1; index < curve.values.size(); ++index)
        lines.emplace_back(frame.x(frame.first + static_cast<double>(index) - 1.0),
                           frame.y(curve.values[index - 1]),
                           frame.x(frame.first + static_cast<double>(index)),
                           frame.y(curve.values[index]));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, curve.hue < 0 ? 1.0 : 1.8, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Labels at the curves' ends, at least 16 px apart.
void paintLabels(QPainter& painter, const Frame& frame, const ChartContent& content,
                 const Theme& theme)
{
    std::vector<std::pair<double, const ChartCurve*>> labels;
    for (const ChartCurve& curve : content.curves)
        if (!curve.label.isEmpty() && !curve.values.empty())
            labels.emplace_back(frame.y(curve.values.back()), &curve);
    std::sort(labels.begin(), labels.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    const double apart = 16.0 * theme.scale();
    for (std::size_t index = 1; index < labels.size(); ++index)
        labels[index].first = std::max(labels[index].first, labels[index - 1].first + apart);
    const double over = labels.empty() ? 0.0 : labels.back().first - frame.plot.bottom() - 6.0;
    painter.setFont(theme.font(TextRole::Caption));
    for (auto& [place, curve] : labels) {
        const double y = std::round(over > 0.0 ? place - over : place);
        painter.fillRect(QRectF(frame.plot.right() + 8.0, y - 5.0, 10.0, 10.0),
                         colourOf(*curve, theme));
        painter.setPen(theme.text);
        painter.drawText(QRectF(frame.plot.right() + 23.0, y - 10.0, 74.0 * theme.scale(), 20.0),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), curve->label);
    }
}

} // namespace

void paintChart(QPainter& painter, QRectF area, const ChartContent& content, const Theme& theme)
{
    painter.save();
    paintSectionHeading(painter, area.topLeft(), content.title, content.about, theme);
    const Frame frame = frameOf(area, content, theme);
    paintAxes(painter, frame, content, theme);
    for (const ChartCurve& curve : content.curves)
        paintCurve(painter, frame, curve, theme);
    paintLabels(painter, frame, content, theme);
    if (content.marked && *content.marked >= frame.first && *content.marked <= frame.last) {
        const double x = std::round(frame.x(*content.marked));
        painter.fillRect(QRectF(x - 1.0, frame.plot.y() - 4.0, 2.0, frame.plot.height() + 8.0),
                         theme.accent);
        painter.setFont(theme.bold(TextRole::Body));
        painter.setPen(theme.accent);
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(content.markedText);
        painter.drawText(
            QPointF(std::clamp(x - width / 2.0, frame.plot.x(), frame.plot.right() - width),
                    frame.plot.bottom() + 36.0 * theme.scale()),
            content.markedText);
    }
    painter.restore();
}

} // namespace headscope::ui
