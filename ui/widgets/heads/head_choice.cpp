#include "ui/widgets/heads/head_choice.h"

#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/style/colour_map.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kWidth = 36.0;
constexpr double kHeight = 32.0;
constexpr double kStep = 40.0;
constexpr double kMargin = 4.0; // the focus ring
constexpr int kHues = 8;

} // namespace

HeadChoice::HeadChoice(int heads) : m_heads(heads)
{
    for (int head = 0; head < (heads <= kAllAtOnce ? heads : kHues); ++head)
        m_slots.push_back(head);
}

int HeadChoice::slotOf(int head) const
{
    const auto found = std::find(m_slots.begin(), m_slots.end(), head);
    return found == m_slots.end() || head < 0 ? -1 : static_cast<int>(found - m_slots.begin());
}

std::vector<int> HeadChoice::shown() const
{
    std::vector<int> heads;
    std::copy_if(m_slots.begin(), m_slots.end(), std::back_inserter(heads),
                 [](int head) { return head >= 0; });
    std::sort(heads.begin(), heads.end());
    return heads;
}

bool HeadChoice::toggle(int head)
{
    if (head < 0 || head >= m_heads)
        return false;
    const int slot = slotOf(head);
    if (slot < 0) {
        takeSlot(head);
        return true;
    }
    if (shown().size() == 1)
        return false;
    m_slots[static_cast<std::size_t>(slot)] = -1;
    return true;
}

void HeadChoice::isolate(int head)
{
    if (head < 0 || head >= m_heads)
        return;
    if (isOn(head) && shown().size() == 1)
        return showAll();
    takeSlot(head);
    std::replace_if(
        m_slots.begin(), m_slots.end(), [head](int other) { return other != head; }, -1);
}

void HeadChoice::restore(const std::vector<int>& headsBySlot)
{
    HeadChoice restored;
    restored.m_heads = m_heads;
    for (const int head : headsBySlot)
        restored.m_slots.push_back(head < m_heads && !restored.isOn(head) ? head : -1);
    if (!restored.shown().empty())
        *this = restored;
}

void HeadChoice::takeSlot(int head)
{
    if (isOn(head))
        return;
    const auto free = std::find(m_slots.begin(), m_slots.end(), -1);
    if (free != m_slots.end())
        *free = head;
    else
        m_slots.push_back(head);
}

/// Heads that are on keep their hues.
void HeadChoice::showAll()
{
    for (int head = 0; head < m_heads; ++head)
        takeSlot(head);
}

// --------------------------------------------------------------------------------- the widget

HeadSquares::HeadSquares(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heads shown"));
    makeReadableList(*this, [this] { return readable(); });
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
    m_cursor = std::clamp(m_cursor, 0, std::max(choice.heads() - 1, 0));
    if (resized)
        updateGeometry();
    describe();
    update();
}

void HeadSquares::toggle(int head)
{
    HeadChoice choice = m_choice;
    if (!choice.toggle(head)) {
        if (head >= 0 && head < choice.heads())
            QToolTip::showText(mapToGlobal(squareRect(head).bottomLeft().toPoint()),
                               tr("One head always stays on"), this);
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

std::optional<int> HeadSquares::headAt(QPointF position) const
{
    for (int head = 0; head < m_choice.heads(); ++head) {
        if (squareRect(head).contains(position))
            return head;
    }
    return std::nullopt;
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

bool HeadSquares::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto head = headAt(help->pos());
        QToolTip::showText(help->globalPos(),
                           head ? tr("Head %1: click switches it on or off here, double click "
                                     "shows it alone")
                                      .arg(*head)
                                : QString(),
                           this);
        return true;
    }
    if (event->type() == QEvent::ApplicationFontChange)
        updateGeometry();
    return QWidget::event(event);
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
    if (slot >= kHues) { // the second eight are dashed, here as in the picture
        painter.setPen(QPen(text, 1.0, Qt::DashLine));
        painter.drawRoundedRect(square.adjusted(3.5, 3.5, -3.5, -3.5), 3, 3);
    }
    if (hasFocus() && head == m_cursor) {
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

void HeadSquares::mousePressEvent(QMouseEvent* event)
{
    const auto head = headAt(event->position());
    if (event->button() != Qt::LeftButton || !head)
        return QWidget::mousePressEvent(event);
    moveTo(*head);
    toggle(*head);
}

void HeadSquares::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto head = headAt(event->position()); head && event->button() == Qt::LeftButton)
        isolate(*head);
}

void HeadSquares::keyPressEvent(QKeyEvent* event)
{
    const int columns = perRow(width());
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(m_cursor - 1);
    case Qt::Key_Right:
        return moveTo(m_cursor + 1);
    case Qt::Key_Up:
        return moveTo(m_cursor - columns);
    case Qt::Key_Down:
        return moveTo(m_cursor + columns);
    case Qt::Key_Home:
        return moveTo(0);
    case Qt::Key_End:
        return moveTo(m_choice.heads() - 1);
    case Qt::Key_Space:
        return toggle(m_cursor);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return isolate(m_cursor);
    default:
        QWidget::keyPressEvent(event);
    }
}

void HeadSquares::focusInEvent(QFocusEvent* event)
{
    describe();
    QWidget::focusInEvent(event);
}

void HeadSquares::moveTo(int head)
{
    if (head < 0 || head >= m_choice.heads())
        return;
    m_cursor = head;
    describe();
    update();
}

void HeadSquares::describe()
{
    setAccessibleDescription(words(m_cursor));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    if (hasFocus())
        announceCurrent(*this);
}

QString HeadSquares::words(int head) const
{
    return (m_choice.isOn(head) ? tr("head %1, shown") : tr("head %1, not shown")).arg(head);
}

ReadableTable HeadSquares::readable() const
{
    ReadableTable table;
    table.rows = m_choice.heads();
    table.columns = 1;
    table.words = [this](HeatmapCell cell) { return words(cell.row); };
    table.place = [this](HeatmapCell cell) { return squareRect(cell.row); };
    table.current = HeatmapCell{m_cursor, 0};
    return table;
}

} // namespace headscope::ui
