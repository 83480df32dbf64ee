#include "ui/widgets/controls/chip_row.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kHeight = 32.0;
constexpr double kGap = 8.0;
constexpr double kSide = 12.0; ///< Padding between the pill's end and its content.
constexpr double kSign = 16.0;
constexpr double kCross = 24.0;  ///< Width of the remove button.
constexpr double kInner = 8.0;   ///< Gap between sign and title.
constexpr double kBetween = 5.0; ///< Gap between title and scope.
constexpr double kLongest = 320.0;
constexpr double kRing = 3.0; ///< Space for the focus ring.

QString moreText(int hidden)
{
    return QStringLiteral("+%1").arg(hidden);
}

} // namespace

ChipRow::ChipRow(QWidget* parent) : DrawnWidget(Items::Row, tr("Changes in B"), parent)
{
    leaveKeysWith(~Qt::KeyboardModifiers(Qt::KeypadModifier));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChipRow::setChips(std::vector<Chip> chips)
{
    if (chips == m_chips)
        return;
    m_chips = std::move(chips);
    const auto last = static_cast<int>(m_chips.size()) - 1;
    const int shown = std::clamp(current(), std::min(0, last), last);
    m_first = std::clamp(m_first, 0, std::max(last, 0));
    placeAround(shown);
    itemsChanged(shown < 0 ? std::nullopt : std::optional(shown));
}

double ChipRow::widthOf(const Chip& chip) const
{
    const Theme theme = Theme::of(*this);
    const double what = QFontMetricsF(theme.bold(TextRole::Body)).horizontalAdvance(chip.what);
    const double scope = QFontMetricsF(theme.font(TextRole::Body)).horizontalAdvance(chip.scope);
    const double content = kSide + kSign + kInner + what + kBetween + scope + 2.0 * kCross + 8.0;
    return std::ceil(std::min(content, kLongest * theme.scale()));
}

int ChipRow::visibleFrom(int first, double room) const
{
    int count = 0;
    double used = 0.0;
    for (auto index = static_cast<std::size_t>(first); index < m_chips.size(); ++index) {
        used += widthOf(m_chips[index]) + (count > 0 ? kGap : 0.0);
        if (used > room && count > 0)
            break;
        ++count;
    }
    return count;
}

/// Places chips from m_first on, changed so that the current chip is visible.
void ChipRow::placeAround(int current)
{
    m_places.clear();
    m_more = {};
    const auto total = static_cast<int>(m_chips.size());
    const double scale = Theme::of(*this).scale();
    const double height = kHeight * scale;
    const double room = width() - 2.0 * kRing;
    const double more = 44.0 * scale;
    if (visibleFrom(0, room) >= total)
        m_first = 0;
    else if (current >= 0 && current < m_first)
        m_first = current;
    const auto shownFrom = [&](int first) {
        return first == 0 && visibleFrom(0, room) >= total ? total
                                                           : visibleFrom(first, room - more - kGap);
    };
    while (current >= m_first + shownFrom(m_first) && m_first < current)
        ++m_first;
    double x = kRing;
    for (int index = m_first; index < m_first + shownFrom(m_first); ++index) {
        const double wide = std::min(widthOf(m_chips[static_cast<std::size_t>(index)]), room);
        m_places.emplace_back(x, kRing, wide, height);
        x += wide + kGap;
    }
    if (hiddenCount() > 0)
        m_more = {std::min(x, width() - kRing - more), kRing, more, height};
    update();
}

int ChipRow::hiddenCount() const
{
    return static_cast<int>(m_chips.size() - m_places.size());
}

std::optional<QRectF> ChipRow::chipRect(int index) const
{
    const int place = index - m_first;
    if (place < 0 || place >= static_cast<int>(m_places.size()))
        return std::nullopt;
    return m_places[static_cast<std::size_t>(place)];
}

std::optional<QRectF> ChipRow::crossRect(int index) const
{
    const auto chip = chipRect(index);
    if (!chip)
        return std::nullopt;
    return QRectF(chip->right() - kCross - 4.0, chip->center().y() - kCross / 2.0, kCross, kCross);
}

std::optional<QRectF> ChipRow::eyeRect(int index) const
{
    const auto cross = crossRect(index);
    return cross ? std::optional(cross->translated(-kCross, 0.0)) : std::nullopt;
}

QSize ChipRow::sizeHint() const
{
    double wide = 2.0 * kRing;
    for (const Chip& chip : m_chips)
        wide += widthOf(chip) + kGap;
    return {qRound(wide), qRound(kHeight * Theme::of(*this).scale() + 2.0 * kRing)};
}

QSize ChipRow::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

std::optional<int> ChipRow::itemAt(QPointF position) const
{
    for (std::size_t place = 0; place < m_places.size(); ++place) {
        if (m_places[place].contains(position))
            return m_first + static_cast<int>(place);
    }
    return std::nullopt;
}

std::optional<int> ChipRow::itemAfter(int key) const
{
    if (m_chips.empty())
        return std::nullopt;
    if (key == Qt::Key_Home)
        return 0;
    return key == Qt::Key_End ? itemCount() - 1 : DrawnWidget::itemAfter(key);
}

void ChipRow::goToItem(int index)
{
    placeAround(index);
    setCurrentItem(index);
}

bool ChipRow::openItem(int index)
{
    emit opened(index);
    return true;
}

/// Text of a chip with its number, for screen readers.
QString ChipRow::itemText(int index) const
{
    const Chip& chip = m_chips[static_cast<std::size_t>(index)];
    return (chip.off ? tr("%1 %2, disabled, change %3 of %4") : tr("%1 %2, change %3 of %4"))
        .arg(chip.what, chip.scope)
        .arg(index + 1)
        .arg(m_chips.size());
}

QString ChipRow::toolTipAt(QPointF position) const
{
    const auto index = itemAt(position);
    if (!index)
        return {};
    const Chip& chip = m_chips[static_cast<std::size_t>(*index)];
    if (crossRect(*index)->contains(position))
        return tr("Remove this change");
    if (eyeRect(*index)->contains(position))
        return chip.off ? tr("Enable this change") : tr("Disable this change");
    return chip.what + QLatin1Char(' ') + chip.scope;
}

bool ChipRow::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange)
        placeAround(current());
    return DrawnWidget::event(event);
}

void ChipRow::paintChip(QPainter& painter, const Theme& theme, int index) const
{
    const Chip& chip = m_chips[static_cast<std::size_t>(index)];
    const QRectF rect = *chipRect(index);
    const double radius = rect.height() / 2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor line = chip.off ? theme.text3 : theme.less;
    painter.setPen(QPen(line, 1.25));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    if (hasFocus() && index == current()) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), radius + 2, radius + 2);
    }
    paintChipSign(painter, {rect.x() + kSide, rect.center().y() - kSign / 2.0, kSign, kSign},
                  chip.sign, line);
    QFont bold = theme.bold(TextRole::Body);
    QFont plain = theme.font(TextRole::Body);
    bold.setStrikeOut(chip.off);
    plain.setStrikeOut(chip.off);
    QRectF text = rect.adjusted(kSide + kSign + kInner, 0, -2.0 * kCross - 8.0, 0);
    painter.setFont(bold);
    painter.setPen(chip.off ? theme.text3 : theme.text);
    painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine, chip.what);
    text.setLeft(text.left() + QFontMetricsF(bold).horizontalAdvance(chip.what) + kBetween);
    painter.setFont(plain);
    painter.setPen(chip.off ? theme.text3 : theme.text2);
    painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetricsF(plain).elidedText(chip.scope, Qt::ElideRight, text.width()));
    paintEye(painter, eyeRect(index)->center(), !chip.off, line);
    const QPointF middle = crossRect(index)->center();
    painter.setPen(QPen(line, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(middle - QPointF(3.5, 3.5), middle + QPointF(3.5, 3.5));
    painter.drawLine(middle + QPointF(-3.5, 3.5), middle + QPointF(3.5, -3.5));
}

void ChipRow::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    for (std::size_t place = 0; place < m_places.size(); ++place)
        paintChip(painter, theme, m_first + static_cast<int>(place));
    if (m_more.isNull())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.less, 1.25));
    painter.setBrush(theme.surface);
    const double radius = m_more.height() / 2.0;
    painter.drawRoundedRect(m_more.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.text);
    painter.drawText(m_more, Qt::AlignCenter, moreText(hiddenCount()));
}

void ChipRow::resizeEvent(QResizeEvent*)
{
    placeAround(current());
}

void ChipRow::mousePressEvent(QMouseEvent* event)
{
    const bool isLeft = event->button() == Qt::LeftButton;
    if (isLeft &&
        m_more.contains(event->position())) { // shows the next chips, after the last the first
        const int next = m_first + static_cast<int>(m_places.size());
        m_first = next < itemCount() ? next : 0;
        return goToItem(m_first);
    }
    const auto index = itemAt(event->position());
    DrawnWidget::mousePressEvent(event);
    if (!isLeft || !index)
        return;
    if (crossRect(*index)->contains(event->position()))
        emit removeWanted(*index);
    else if (eyeRect(*index)->contains(event->position()))
        emit toggleWanted(*index);
}

void ChipRow::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto index = itemAt(event->position());
    if (index && eyeRect(*index)->contains(event->position()))
        emit toggleWanted(*index); // two clicks, two toggles
    else if (index && !crossRect(*index)->contains(event->position()))
        emit opened(*index);
}

bool ChipRow::pressKey(const QKeyEvent& event)
{
    const bool removes = event.key() == Qt::Key_Delete || event.key() == Qt::Key_Backspace;
    if (m_chips.empty() || !(removes || event.key() == Qt::Key_Space))
        return false;
    if (removes)
        emit removeWanted(current());
    else
        emit toggleWanted(current());
    return true;
}

} // namespace headscope::ui
