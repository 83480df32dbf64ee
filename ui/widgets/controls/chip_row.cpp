#include "ui/widgets/controls/chip_row.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kHeight = 32.0;
constexpr double kGap = 8.0;
constexpr double kSide = 12.0; ///< from the pill's end to its content
constexpr double kSign = 16.0;
constexpr double kCross = 24.0;  ///< the x's target
constexpr double kInner = 8.0;   ///< sign, what
constexpr double kBetween = 5.0; ///< what, scope
constexpr double kLongest = 320.0;
constexpr double kRing = 3.0; ///< room for the focus ring

QString moreText(int hidden)
{
    return QStringLiteral("+%1").arg(hidden);
}

} // namespace

ChipRow::ChipRow(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Changes in B"));
    makeReadableList(*this, [this] { return readable(); });
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChipRow::setChips(std::vector<Chip> chips)
{
    if (chips == m_chips)
        return;
    m_chips = std::move(chips);
    const auto last = static_cast<int>(m_chips.size()) - 1;
    m_current = std::clamp(m_current, std::min(0, last), last);
    m_first = std::clamp(m_first, 0, std::max(last, 0));
    place();
    describe();
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

/// From m_first on, moved so that the current chip is among those that fit.
void ChipRow::place()
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
    else if (m_current >= 0 && m_current < m_first)
        m_first = m_current;
    const auto shownFrom = [&](int first) {
        return first == 0 && visibleFrom(0, room) >= total ? total
                                                           : visibleFrom(first, room - more - kGap);
    };
    while (m_current >= m_first + shownFrom(m_first) && m_first < m_current)
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

QRectF ChipRow::moreRect() const
{
    return m_more;
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

std::optional<int> ChipRow::chipAt(QPointF position) const
{
    for (std::size_t place = 0; place < m_places.size(); ++place) {
        if (m_places[place].contains(position))
            return m_first + static_cast<int>(place);
    }
    return std::nullopt;
}

void ChipRow::moveTo(int index)
{
    if (m_chips.empty())
        return;
    m_current = std::clamp(index, 0, static_cast<int>(m_chips.size()) - 1);
    place();
    describe();
}

/// The current chip and its number, for screen readers.
void ChipRow::describe()
{
    const QString text = m_current >= 0 ? words(m_current) : QString();
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    if (hasFocus())
        announceCurrent(*this);
}

QString ChipRow::words(int index) const
{
    const Chip& chip = m_chips[static_cast<std::size_t>(index)];
    return (chip.off ? tr("%1 %2, switched off, change %3 of %4") : tr("%1 %2, change %3 of %4"))
        .arg(chip.what, chip.scope)
        .arg(index + 1)
        .arg(m_chips.size());
}

ReadableTable ChipRow::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(m_chips.size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) { return words(cell.row); };
    table.place = [this](HeatmapCell cell) { return chipRect(cell.row).value_or(moreRect()); };
    if (m_current >= 0)
        table.current = {m_current, 0};
    return table;
}

bool ChipRow::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto index = chipAt(help->pos());
        if (!index) {
            QToolTip::hideText();
            return true;
        }
        const Chip& chip = m_chips[static_cast<std::size_t>(*index)];
        QString text = chip.what + QLatin1Char(' ') + chip.scope;
        if (crossRect(*index)->contains(help->pos()))
            text = tr("Take this change away");
        else if (eyeRect(*index)->contains(help->pos()))
            text = chip.off ? tr("Switch it on again") : tr("Switch it off, without losing it");
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        place();
    }
    return QWidget::event(event);
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
    if (hasFocus() && index == m_current) {
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
    place();
}

void ChipRow::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (m_more.contains(event->position())) { // the next ones, and after the last the first
        const int next = m_first + static_cast<int>(m_places.size());
        m_first = next < static_cast<int>(m_chips.size()) ? next : 0;
        m_current = m_first;
        moveTo(m_current);
        return;
    }
    const auto index = chipAt(event->position());
    if (!index)
        return QWidget::mousePressEvent(event);
    moveTo(*index);
    if (crossRect(*index)->contains(event->position()))
        emit removeWanted(*index);
    else if (eyeRect(*index)->contains(event->position()))
        emit toggleWanted(*index);
}

void ChipRow::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto index = chipAt(event->position());
    if (!index || crossRect(*index)->contains(event->position()))
        return;
    if (eyeRect(*index)->contains(event->position()))
        emit toggleWanted(*index); // two clicks, two switches
    else
        emit opened(*index);
}

void ChipRow::keyPressEvent(QKeyEvent* event)
{
    const auto last = static_cast<int>(m_chips.size()) - 1;
    if (last < 0 || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(m_current - 1);
    case Qt::Key_Right:
        return moveTo(m_current + 1);
    case Qt::Key_Home:
        return moveTo(0);
    case Qt::Key_End:
        return moveTo(last);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        emit removeWanted(m_current);
        return;
    case Qt::Key_Space:
        emit toggleWanted(m_current);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit opened(m_current);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
