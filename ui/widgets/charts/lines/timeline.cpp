#include "ui/widgets/charts/lines/timeline.h"

#include "ui/widgets/charts/lines/line_chart_axes.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kHeader = 28.0;
constexpr double kTrackTop = 54.0; ///< Top of the track, below ticks and triangles.
constexpr double kTrack = 6.0;
constexpr double kKnob = 16.0;
constexpr int kTicks = 7;
constexpr int kLongTick = 5; ///< Every fifth tick is long.

bool isScrubbing(const TimelineContent& content)
{
    return content.shown.has_value();
}

void paintHeader(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                 const Theme& theme)
{
    const QString title = tr("Timeline");
    painter.setFont(theme.font(TextRole::Heading));
    painter.setPen(theme.text);
    const QRectF header = layout.header();
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const double used = QFontMetricsF(painter.font()).horizontalAdvance(title) + 12.0;
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text3);
    const QRectF note(header.x() + used, header.y() + 1,
                      std::max(0.0, layout.link().x() - 24 - header.x() - used), header.height());
    painter.drawText(
        note, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(content.note, Qt::ElideRight, note.width()));
    if (content.snapshots.empty())
        return;
    painter.setFont(theme.bold(TextRole::Body));
    const bool follows = !isScrubbing(content);
    const QColor colour = follows ? (content.running ? theme.ok : theme.text2) : theme.accent;
    painter.setPen(colour);
    painter.drawText(layout.link(), Qt::AlignRight | Qt::AlignVCenter, timelineText(content));
    if (!follows || !content.running)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ok);
    painter.drawEllipse(QPointF(layout.link().x() - 10, layout.link().center().y() + 1), 4, 4);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintTrack(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                const Theme& theme)
{
    const QRectF track = layout.track();
    const double right = std::clamp(layout.x(content.trained), track.left(), track.right());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.track);
    painter.drawRoundedRect(track, kTrack / 2, kTrack / 2);
    QColor tint = theme.accent;
    for (const auto& [get, set] :
         {std::pair{&QColor::red, &QColor::setRed}, std::pair{&QColor::green, &QColor::setGreen},
          std::pair{&QColor::blue, &QColor::setBlue}})
        (tint.*set)(((theme.accent.*get)() + 2 * (theme.track.*get)()) / 3);
    painter.setBrush(tint);
    painter.drawRoundedRect(QRectF(track.left(), track.top(), right - track.left(), track.height()),
                            kTrack / 2, kTrack / 2);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Paints the snapshots. A pinned one is a square, so that its shape distinguishes it and not only
/// its colour.
void paintSnapshots(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                    const Theme& theme)
{
    const double bottom = layout.track().top() - 2;
    for (std::size_t index = 0; index < content.snapshots.size(); ++index) {
        const TimelineMark& snapshot = content.snapshots[index];
        const double x = std::round(layout.x(snapshot.step));
        const double tall = index % kLongTick == 0 ? 9.0 : 5.0;
        painter.fillRect(QRectF(x, bottom - tall, 1, tall), theme.control);
        if (!snapshot.pinned)
            continue;
        painter.fillRect(QRectF(x - 3.5, bottom - 16, 8, 8), theme.surface);
        painter.setPen(QPen(theme.text, 1.0));
        painter.drawRect(QRectF(x - 2.5, bottom - 15, 6, 6));
        painter.fillRect(QRectF(x, bottom - 9, 1, 9), theme.text);
    }
}

void paintJumps(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                const Theme& theme)
{
    const double tip = layout.track().top() - 13;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.warn);
    for (const double jump : content.jumps) {
        const double x = std::round(layout.x(jump)) + 0.5;
        painter.drawPolygon(
            QPolygonF({QPointF(x - 6, tip - 8), QPointF(x + 6, tip - 8), QPointF(x, tip)}));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintKnob(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
               const Theme& theme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.surface, 2.0));
    painter.setBrush(theme.accent);
    painter.drawEllipse(QPointF(layout.x(content.shownStep()), layout.track().center().y()),
                        kKnob / 2, kKnob / 2);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintNumbers(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                  const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    const double top = layout.track().bottom() + 10;
    for (const double tick : content.x.ticks(kTicks))
        painter.drawText(QRectF(layout.x(tick) - 40, top, 80, 18), Qt::AlignCenter,
                         tickText(content.x, tick, kTicks));
}

} // namespace

double TimelineContent::shownStep() const
{
    if (shown && *shown >= 0 && *shown < static_cast<int>(snapshots.size()))
        return snapshots[static_cast<std::size_t>(*shown)].step;
    return trained;
}

int nearestSnapshot(const TimelineContent& content, double step)
{
    int nearest = -1;
    double least = 0.0;
    for (std::size_t index = 0; index < content.snapshots.size(); ++index) {
        const double away = std::abs(content.snapshots[index].step - step);
        if (nearest < 0 || away < least) {
            nearest = static_cast<int>(index);
            least = away;
        }
    }
    return nearest;
}

QString timelineText(const TimelineContent& content)
{
    if (!content.shown)
        return content.running
                   ? tr("following live")
                   : tr("step %1, the newest").arg(count(std::llround(content.trained)));
    return (content.canGrow ? tr("step %1 of %2, back to live")
                            : tr("step %1 of %2, back to the newest"))
        .arg(count(std::llround(content.shownStep())), count(std::llround(content.trained)));
}

TimelineLayout::TimelineLayout(QRectF area, const TimelineContent& content, const Theme& theme)
    : m_x(content.x)
{
    const double scale = theme.scale();
    const double left = area.x() + LineChartAxes::leftEdge(theme);
    const double right = area.right() - LineChartAxes::rightEdge(theme);
    m_header = {area.x(), area.y(), area.width(), kHeader * scale};
    m_track = {left, area.y() + kTrackTop * scale, right - left, kTrack};
    const double width =
        QFontMetricsF(theme.bold(TextRole::Body)).horizontalAdvance(timelineText(content)) + 4;
    m_link = {right - width, m_header.y(), width, m_header.height()};
}

double TimelineLayout::x(double step) const
{
    return m_track.x() + std::clamp(m_x.place(step), 0.0, 1.0) * m_track.width();
}

double TimelineLayout::stepAt(double x) const
{
    return m_x.value((x - m_track.x()) / m_track.width());
}

void paintTimeline(QPainter& painter, const TimelineLayout& layout, const TimelineContent& content,
                   const Theme& theme)
{
    paintHeader(painter, layout, content, theme);
    paintTrack(painter, layout, content, theme);
    paintSnapshots(painter, layout, content, theme);
    paintJumps(painter, layout, content, theme);
    paintKnob(painter, layout, content, theme);
    paintNumbers(painter, layout, content, theme);
}

} // namespace headscope::ui
