#include "ui/pages/positions/positions_clocks.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::ui {

namespace {

struct Clock
{
    QPointF centre;
    double radius;
    double angle; ///< Angle of PE(p), in radians clockwise from the top.
    double turn;  ///< Rotation to PE(p+k).
};

QPointF onCircle(const Clock& clock, double angle)
{
    return clock.centre + clock.radius * QPointF(std::sin(angle), -std::cos(angle));
}

void paintHand(QPainter& painter, const Clock& clock, double angle, const QColor& colour,
               const QColor& rim)
{
    const QPointF tip = onCircle(clock, angle);
    painter.setPen(QPen(colour, 2.5));
    painter.drawLine(clock.centre, tip);
    painter.setPen(QPen(rim, 1.5));
    painter.setBrush(colour);
    painter.drawEllipse(tip, 5.5, 5.5);
}

void paintFace(QPainter& painter, const Clock& clock, const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line2, 1.0));
    painter.drawEllipse(clock.centre, clock.radius, clock.radius);
    const double inner = clock.radius * 0.42;
    const QRectF arc(clock.centre.x() - inner, clock.centre.y() - inner, 2.0 * inner, 2.0 * inner);
    const double degrees = 180.0 / std::numbers::pi;
    // drawPie counts sixteenths of a degree, counter-clockwise from three o'clock.
    const int start =
        static_cast<int>(std::lround(16.0 * (90.0 - std::fmod(clock.angle * degrees, 360.0))));
    const double turned = std::fmod(clock.turn * degrees, 360.0);
    painter.setBrush(theme.keySoft);
    painter.setPen(QPen(theme.key, 1.0));
    if (turned > 0.05)
        painter.drawPie(arc, start, -static_cast<int>(std::lround(16.0 * turned)));
    paintHand(painter, clock, clock.angle, theme.accent, theme.surface);
    paintHand(painter, clock, clock.angle + clock.turn, theme.key, theme.surface);
}

QString turnText(double stepDegrees, int offset)
{
    const int decimals = stepDegrees >= 10.0 ? 1 : 2;
    return QStringLiteral("%1 × %2° = %3°")
        .arg(offset)
        .arg(number(stepDegrees, decimals), number(offset * stepDegrees, 1));
}

} // namespace

void paintClocks(QPainter& painter, QRectF area, const PositionsContent& content,
                 const Theme& theme)
{
    const std::vector<int> pairs = clockPairs(content.table.dimensions);
    if (pairs.empty())
        return;
    constexpr int kColumns = 2;
    const int rows = (static_cast<int>(pairs.size()) + kColumns - 1) / kColumns;
    const double scale = theme.scale();
    const double words = 44.0 * scale;
    const double width = area.width() / kColumns;
    const double height = std::min(area.height() / 3.0, 2.0 * 46.0 * scale + words + 22.0);
    const double radius = std::max(
        12.0, std::min({46.0 * scale, (width - 28.0) / 2.0, (height - words - 14.0) / 2.0}));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int index = 0; index < static_cast<int>(pairs.size()) && index < kColumns * rows;
         ++index) {
        const int pair = pairs[static_cast<std::size_t>(index)];
        const double step = anglePerPosition(pair, content.table.dimensions, content.base);
        const QRectF cell(area.x() + (index % kColumns) * width,
                          area.y() + (index / kColumns) * height, width, height);
        const Clock clock{{cell.center().x(), cell.y() + radius + 7.0},
                          radius,
                          content.position * step,
                          content.offset * step};
        paintFace(painter, clock, theme);
        const double top = cell.y() + 2.0 * radius + 16.0;
        painter.setFont(theme.bold(TextRole::Body));
        painter.setPen(theme.text);
        painter.drawText(QRectF(cell.x(), top, width, 18.0 * scale), Qt::AlignCenter,
                         QCoreApplication::translate("Positions", "dims %1, %2")
                             .arg(2 * pair)
                             .arg(2 * pair + 1));
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text2);
        painter.drawText(QRectF(cell.x(), top + 18.0 * scale, width, 17.0 * scale), Qt::AlignCenter,
                         turnText(step * 180.0 / std::numbers::pi, content.offset));
    }
    painter.restore();
}

} // namespace headscope::ui
