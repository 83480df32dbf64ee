#include "ui/widgets/controls/step_bar.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kCircle = 28.0;
constexpr double kTitleGap = 8.0;
constexpr double kLineGap = 12.0;
constexpr double kShortestLine = 14.0;
constexpr double kLeastLine = 3.0;
constexpr double kLeastCircle = 15.0;
constexpr double kLeastNumbered = 22.0; // smaller circles have no number
constexpr double kMargin = 4.0;         // space for the focus ring

enum class State { Done, Now, Ahead };

State stateOf(const StepBarContent& content, int step)
{
    if (step == content.now)
        return State::Now;
    return step < content.complete ? State::Done : State::Ahead;
}

QFont titleFont(const StepBarContent& content, int step, const Theme& theme)
{
    return step == content.now ? theme.bold(TextRole::Lesson) : theme.font(TextRole::Lesson);
}

int stepCount(const StepBarContent& content)
{
    return static_cast<int>(content.titles.size());
}

void paintCheck(QPainter& painter, const QRectF& circle, const QColor& colour)
{
    const double u = circle.width() / 28.0;
    painter.setPen(QPen(colour, 2.0 * u, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(QPolygonF({circle.center() + QPointF(-5.0 * u, 0.5 * u),
                                    circle.center() + QPointF(-1.5 * u, 4.0 * u),
                                    circle.center() + QPointF(5.5 * u, -3.5 * u)}));
}

void paintCircle(QPainter& painter, const QRectF& circle, const StepBarContent& content, int step,
                 const Theme& theme)
{
    const State state = stateOf(content, step);
    const bool isHovered = content.hovered == step;
    painter.setPen(QPen(state == State::Ahead ? theme.control : theme.accent, 2.0));
    painter.setBrush(state == State::Now ? theme.accent
                                         : (isHovered ? theme.hover : theme.surface));
    painter.drawEllipse(circle.adjusted(1.0, 1.0, -1.0, -1.0));
    if (state == State::Done)
        return paintCheck(painter, circle, theme.accent);
    if (circle.width() < kLeastNumbered * theme.scale())
        return;
    QFont font = theme.bold(TextRole::Body);
    font.setPointSizeF(font.pointSizeF() * circle.width() / (kCircle * theme.scale()));
    painter.setFont(font);
    painter.setPen(state == State::Now ? theme.onAccent : theme.text3);
    painter.drawText(circle, Qt::AlignCenter, QString::number(step + 1));
}

void paintTitle(QPainter& painter, const QRectF& rect, const StepBarContent& content, int step,
                const Theme& theme)
{
    if (rect.width() <= 0.0)
        return;
    const State state = stateOf(content, step);
    painter.setFont(titleFont(content, step, theme));
    painter.setPen(state == State::Now    ? theme.text
                   : state == State::Done ? theme.text2
                                          : theme.text3);
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font())
                         .elidedText(content.titles[step], Qt::ElideRight, rect.width() + 1.0));
    const auto place = static_cast<std::size_t>(step);
    if (place < content.pointed.size() && content.pointed[place]) {
        painter.setPen(QPen(theme.accent, 2.0, Qt::DashLine));
        painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    }
}

} // namespace

double stepBarHeight(const Theme& theme)
{
    return (kCircle + 2.0 * kMargin) * theme.scale();
}

StepBarLayout::StepBarLayout(QRectF area, const StepBarContent& content, const Theme& theme)
    : m_area(area)
{
    const double scale = theme.scale();
    double circle = kCircle * scale;
    double line = kShortestLine * scale;
    const int steps = stepCount(content);
    std::vector<double> widths;
    double all = 0.0;
    for (int step = 0; step < steps; ++step) { // bold, so that nothing moves with the current one
        const QFontMetricsF metrics(theme.bold(TextRole::Lesson));
        widths.push_back(metrics.horizontalAdvance(content.titles[step]) + 2.0);
        all += circle + kTitleGap * scale + widths.back();
    }
    const double shortest = (2.0 * kLineGap + kShortestLine) * scale;
    const bool isRoomy = all + (steps - 1) * shortest <= area.width();
    if (!isRoomy)
        for (int step = 0; step < steps; ++step)
            if (step != content.now)
                widths[static_cast<std::size_t>(step)] = 0.0;
    double titles = 0.0;
    for (const double width : widths)
        titles += width > 0.0 ? kTitleGap * scale + width : 0.0;
    const double pitch = (area.width() - titles) / std::max(1, steps);
    if (pitch < circle + line) { // many stages: smaller circles, shorter lines, then none
        circle = std::clamp(pitch - kLeastLine * scale, kLeastCircle * scale, circle);
        line = std::max(0.0, pitch - circle);
    }
    double used = 0.0;
    for (const double width : widths)
        used += circle + (width > 0.0 ? kTitleGap * scale + width : 0.0);
    const double between = steps > 1 ? std::max(line, (area.width() - used) / (steps - 1)) : 0.0;
    double x = area.x();
    const double y = area.center().y() - circle / 2.0;
    for (const double width : widths) {
        m_circles.push_back(QRectF(x, y, circle, circle));
        x += circle;
        const double room = std::max(0.0, std::min(width, area.right() - x - kTitleGap * scale));
        m_titles.push_back(width > 0.0 ? QRectF(x + kTitleGap * scale, y, room, circle) : QRectF());
        x += (width > 0.0 ? kTitleGap * scale + width : 0.0) + between;
    }
}

QRectF StepBarLayout::circle(int step) const
{
    return m_circles[static_cast<std::size_t>(step)];
}

QRectF StepBarLayout::title(int step) const
{
    return m_titles[static_cast<std::size_t>(step)];
}

QRectF StepBarLayout::target(int step) const
{
    return title(step).width() > 0.0 ? circle(step).united(title(step)) : circle(step);
}

std::optional<int> StepBarLayout::stepAt(QPointF position) const
{
    for (int step = 0; step < static_cast<int>(m_circles.size()); ++step)
        if (target(step).adjusted(-4.0, -4.0, 4.0, 4.0).contains(position))
            return step;
    return std::nullopt;
}

void paintStepBar(QPainter& painter, QRectF area, const StepBarContent& content, const Theme& theme)
{
    const StepBarLayout layout(area, content, theme);
    const double gap = kLineGap * theme.scale();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int step = 0; step < stepCount(content); ++step) {
        if (step > 0) {
            const double from = layout.target(step - 1).right() + gap;
            const double to = layout.circle(step).left() - gap;
            const bool isPassed = step <= content.now;
            painter.setPen(QPen(isPassed ? theme.accent : theme.line2, 2.0));
            if (to > from)
                painter.drawLine(QPointF(from, area.center().y()), QPointF(to, area.center().y()));
        }
        paintCircle(painter, layout.circle(step), content, step, theme);
        paintTitle(painter, layout.title(step), content, step, theme);
    }
    if (content.focused && *content.focused < stepCount(content)) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2.0));
        const QRectF ring = layout.circle(*content.focused).adjusted(-3.0, -3.0, 3.0, 3.0);
        painter.drawEllipse(ring);
    }
    painter.restore();
}

// ------------------------------------------------------------------------------------ the widget

StepBar::StepBar(QWidget* parent) : DrawnWidget(Items::Row, tr("Stages"), parent)
{
    setMouseTracking(true);
    leaveKeysWith(~Qt::KeyboardModifiers(Qt::KeypadModifier));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepBar::setContent(StepBarContent content)
{
    const bool moved = content.now != m_content.now || content.titles != m_content.titles;
    m_content = std::move(content);
    itemsChanged(moved ? std::optional(m_content.now) : currentItem());
}

QSize StepBar::sizeHint() const
{
    return {480, qRound(stepBarHeight(Theme::of(*this)))};
}

QSize StepBar::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

StepBarLayout StepBar::layoutNow() const
{
    return {QRectF(rect()).adjusted(kMargin, 0.0, -kMargin, 0.0), m_content, Theme::of(*this)};
}

QString StepBar::itemText(int step) const
{
    const State state = stateOf(m_content, step);
    const QString how = state == State::Now    ? tr("current stage")
                        : state == State::Done ? tr("done")
                                               : tr("upcoming");
    return tr("%1 of %2: %3, %4")
        .arg(step + 1)
        .arg(m_content.titles.size())
        .arg(m_content.titles[step], how);
}

void StepBar::paintEvent(QPaintEvent*)
{
    StepBarContent shown = m_content;
    shown.hovered = hoveredItem();
    shown.focused = hasFocus() ? currentItem() : std::nullopt;
    QPainter painter(this);
    paintStepBar(painter, QRectF(rect()).adjusted(kMargin, 0.0, -kMargin, 0.0), shown,
                 Theme::of(*this));
}

bool StepBar::openItem(int step)
{
    emit stepChosen(step);
    return true;
}

void StepBar::hoverChanged()
{
    setCursor(hoveredItem() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void StepBar::focusInEvent(QFocusEvent* event)
{
    DrawnWidget::focusInEvent(event);
    if (itemCount() > 0)
        setCurrentItem(m_content.now);
}

} // namespace headscope::ui
