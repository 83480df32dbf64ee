#include "ui/widgets/charts/lines/timeline_widget.h"

#include "ui/widgets/style/focus_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kHeight = 96.0;

} // namespace

TimelineWidget::TimelineWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    makeReadableList(*this, [this] { return readable(); });
}

QSize TimelineWidget::sizeHint() const
{
    return {640, qRound(kHeight * Theme::of(*this).scale())};
}

QSize TimelineWidget::minimumSizeHint() const
{
    return {320, sizeHint().height()};
}

void TimelineWidget::setContent(TimelineContent content)
{
    m_content = std::move(content);
    describe();
    update();
}

TimelineLayout TimelineWidget::layoutNow() const
{
    return {QRectF(rect()).adjusted(2, 2, -2, -2), m_content, Theme::of(*this)};
}

QString TimelineWidget::text(int index) const
{
    const TimelineMark& snapshot = m_content.snapshots[static_cast<std::size_t>(index)];
    QString text = tr("step %1").arg(count(std::llround(snapshot.step)));
    if (snapshot.pinned)
        text += tr(", pinned");
    if (m_content.shown == index)
        text += tr(", shown");
    return text;
}

ReadableTable TimelineWidget::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(m_content.snapshots.size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) { return text(cell.row); };
    table.place = [this](HeatmapCell cell) {
        const TimelineLayout layout = layoutNow();
        const double x = layout.x(m_content.snapshots[static_cast<std::size_t>(cell.row)].step);
        return QRectF(x - 3, layout.track().top() - 24, 6, 30);
    };
    if (table.rows > 0)
        table.current = {m_content.shown.value_or(table.rows - 1), 0};
    return table;
}

void TimelineWidget::describe()
{
    const QString text =
        m_content.snapshots.empty() ? tr("no snapshots yet") : timelineText(m_content);
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    if (hasFocus())
        announceCurrent(*this);
}

void TimelineWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintTimeline(painter, layoutNow(), m_content, theme);
    paintFocusFrame(painter, *this);
}

/// Shows a snapshot at once, so that the next key starts from it.
void TimelineWidget::choose(std::optional<int> index)
{
    m_content.shown = index;
    describe();
    update();
    if (index)
        emit snapshotChosen(*index);
    else
        emit liveWanted();
}

/// Positions beyond the last snapshot select the live weights.
void TimelineWidget::chooseNearest(double x)
{
    const double step = layoutNow().stepAt(x);
    const int nearest = nearestSnapshot(m_content, step);
    if (nearest < 0)
        return;
    const double last = m_content.snapshots.back().step;
    if (step > (last + m_content.trained) / 2.0 && m_content.trained > last)
        choose(std::nullopt);
    else if (m_content.shown != nearest)
        choose(nearest);
}

void TimelineWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_content.snapshots.empty())
        return QWidget::mousePressEvent(event);
    const TimelineLayout layout = layoutNow();
    if (layout.link().contains(event->position())) {
        if (m_content.shown)
            choose(std::nullopt);
        return;
    }
    if (!layout.header().contains(event->position()))
        chooseNearest(event->position().x());
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event)
{
    const bool onLink = m_content.shown && layoutNow().link().contains(event->position());
    setCursor(onLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (event->buttons().testFlag(Qt::LeftButton) &&
        !layoutNow().header().contains(event->position()))
        chooseNearest(event->position().x());
}

void TimelineWidget::leaveEvent(QEvent*)
{
    unsetCursor();
}

void TimelineWidget::step(int snapshots)
{
    const int last = static_cast<int>(m_content.snapshots.size()) - 1;
    const int now = m_content.shown.value_or(last + 1);
    if (now + snapshots > last)
        return choose(std::nullopt);
    choose(std::clamp(now + snapshots, 0, last));
}

void TimelineWidget::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_content.snapshots.size()) - 1;
    if (last < 0 || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(std::nullopt);
    case Qt::Key_Space:
        emit playToggled();
        return;
    case Qt::Key_P:
        emit pinToggled(m_content.shown.value_or(last));
        return;
    case Qt::Key_Escape:
        if (m_content.shown)
            return choose(std::nullopt);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace headscope::ui
