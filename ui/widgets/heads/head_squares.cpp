#include "ui/widgets/heads/head_squares.h"

#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/style/colour_map.h"

#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kWidth = 36.0;
constexpr double kHeight = 32.0;
constexpr double kStep = 40.0;
constexpr double kMargin = 4.0; // space for the focus ring
constexpr int kHues = 8;

} // namespace

HeadSquares::HeadSquares(QWidget* parent) : DrawnWidget(Items::Plane, tr("Heads shown"), parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void HeadSquares::setChoice(const HeadChoice& choice)
{
    if (choice == m_choice)
        return;
    const bool resized = choice.heads() != m_choice.heads();
    m_choice = choice;
    itemsChanged(currentItem().value_or(0));
    if (resized)
        updateGeometry();
}

void HeadSquares::toggle(int head)
{
    HeadChoice choice = m_choice;
    if (!choice.toggle(head)) {
        if (head >= 0 && head < choice.heads())
            QToolTip::showText(mapToGlobal(squareRect(head).bottomLeft().toPoint()),
                               tr("At least one head is always shown"), this);
        return;
    }
    setChoice(choice);
    emit choiceChanged();
}

void HeadSquares::isolate(int head)
{
    HeadChoice choice = m_choice;
    choice.isolate(head);
    setChoice(choice);
    emit choiceChanged();
}

int HeadSquares::perRow(int width) const
{
    const double step = kStep * Theme::of(*this).scale();
    return std::max(1, static_cast<int>(std::floor((width - 2.0 * kMargin + 4.0) / step)));
}

QRectF HeadSquares::squareRect(int head) const
{
    const double scale = Theme::of(*this).scale();
    const int columns = perRow(width());
    return {kMargin + (head % columns) * kStep * scale,
            kMargin + (head / columns) * (kHeight + 6.0) * scale, kWidth * scale, kHeight * scale};
}

QSize HeadSquares::sizeHint() const
{
    const double scale = Theme::of(*this).scale();
    const int columns = std::clamp(m_choice.heads(), 1, 12);
    const int width = static_cast<int>(std::ceil(columns * kStep * scale + 2.0 * kMargin));
    return {width, heightForWidth(width)};
}

QSize HeadSquares::minimumSizeHint() const
{
    const double scale = Theme::of(*this).scale();
    return {static_cast<int>(std::ceil(4.0 * kStep * scale + 2.0 * kMargin)),
            static_cast<int>(std::ceil(kHeight * scale + 2.0 * kMargin))};
}

int HeadSquares::heightForWidth(int width) const
{
    const double scale = Theme::of(*this).scale();
    const int columns = perRow(width);
    const int rows = std::max(1, (m_choice.heads() + columns - 1) / columns);
    return static_cast<int>(std::ceil((rows * kHeight + (rows - 1) * 6.0) * scale + 2.0 * kMargin));
}

QString HeadSquares::itemToolTip(int head) const
{
    return tr("Head %1: click to show or hide, double-click to show only this one").arg(head);
}

void HeadSquares::paintSquare(QPainter& painter, int head, const Theme& theme) const
{
    const QRectF square = squareRect(head);
    const int slot = m_choice.slotOf(head);
    const bool isOn = slot >= 0;
    const QColor hue = isOn ? headHue(slot, theme) : theme.surface;
    const QColor text = isOn ? cellTextColour(hue.rgb()) : theme.text;
    painter.setPen(isOn ? QPen(Qt::NoPen) : QPen(theme.control, 1.0));
    painter.setBrush(hue);
    painter.drawRoundedRect(isOn ? square : square.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setBrush(Qt::NoBrush);
    if (slot >= kHues) { // the second eight are dashed, as in the plot
        painter.setPen(QPen(text, 1.0, Qt::DashLine));
        painter.drawRoundedRect(square.adjusted(3.5, 3.5, -3.5, -3.5), 3, 3);
    }
    if (hasFocus() && head == currentItem()) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.drawRoundedRect(square.adjusted(-3, -3, 3, 3), 8, 8);
    }
    painter.setFont(isOn ? theme.bold(TextRole::Body) : theme.font(TextRole::Body));
    painter.setPen(text);
    painter.drawText(square, Qt::AlignCenter, QString::number(head));
}

void HeadSquares::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int head = 0; head < m_choice.heads(); ++head)
        paintSquare(painter, head, theme);
}

void HeadSquares::clickItem(int head)
{
    goToItem(head);
    toggle(head);
}

bool HeadSquares::openItem(int head)
{
    isolate(head);
    return true;
}

/// Moves by one square or one row; does nothing at the ends.
std::optional<int> HeadSquares::itemAfter(int key) const
{
    const QPoint way = directionOf(key).toPoint();
    if (!currentItem())
        return std::nullopt;
    if (key == Qt::Key_Home)
        return 0;
    if (key == Qt::Key_End)
        return itemCount() - 1;
    if (way.isNull())
        return std::nullopt;
    const int next = *currentItem() + way.x() + way.y() * perRow(width());
    return next >= 0 && next < itemCount() ? next : currentItem();
}

void HeadSquares::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && currentItem())
        toggle(*currentItem());
    else
        DrawnWidget::keyPressEvent(event);
}

void HeadSquares::focusInEvent(QFocusEvent* event)
{
    DrawnWidget::focusInEvent(event);
    announceCurrent(*this);
}

QString HeadSquares::itemText(int head) const
{
    return (m_choice.isOn(head) ? tr("head %1, shown") : tr("head %1, not shown")).arg(head);
}

} // namespace headscope::ui
