#include "ui/widgets/text/token_strip.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kPadding = 8.0;
constexpr double kChipGap = 5.0;
constexpr double kPositionGap = 5.0;
constexpr double kArrowWidth = 24.0;
constexpr double kLongestText = 220.0;

} // namespace

TokenStrip::TokenStrip(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Tokens"));
    makeReadableList(*this, [this] { return readable(); });
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TokenStrip::setChips(std::vector<TokenChip> chips)
{
    const auto size = static_cast<int>(chips.size());
    setChips(std::move(chips), size, size);
}

void TokenStrip::setChips(std::vector<TokenChip> chips, int shown, long long total)
{
    finishEditing(false);
    m_chips = std::move(chips);
    m_shown = std::clamp(shown, 0, static_cast<int>(m_chips.size()));
    m_total = std::max(total, static_cast<long long>(m_chips.size()));
    const auto keep = [this](std::optional<int>& index) {
        if (index && *index >= m_shown)
            index.reset();
    };
    keep(m_query);
    keep(m_key);
    m_hovered.reset();
    m_placed.clear();
    scrollTo(m_offset);
    update();
}

void TokenStrip::setQuery(std::optional<int> index)
{
    if (m_query == index)
        return;
    m_query = index && *index >= 0 && *index < m_shown ? index : std::nullopt;
    if (m_query) {
        ensureVisible(*m_query);
        setAccessibleDescription(
            tr("query %1, %2").arg(m_chips[static_cast<std::size_t>(*m_query)].text).arg(*m_query));
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
        if (hasFocus())
            announceCurrent(*this);
    }
    update();
}

void TokenStrip::setKey(std::optional<int> index)
{
    m_key = index && *index >= 0 && *index < m_shown ? index : std::nullopt;
    update();
}

/// What a screen reader says of one chip.
QString TokenStrip::words(int index) const
{
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    const QString shown = chip.text.isEmpty() ? chip.rawText : chip.text;
    QString text = QStringLiteral("%1, %2").arg(shown.trimmed(), chipNote(index));
    if (index == m_query)
        text += tr(", query");
    if (index == m_key)
        text += tr(", key");
    if (index >= m_shown)
        text += tr(", left out: the text is too long");
    return text;
}

ReadableTable TokenStrip::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(m_chips.size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) { return words(cell.row); };
    table.place = [this](HeatmapCell cell) { return chipRect(cell.row); };
    if (m_query)
        table.current = {*m_query, 0};
    return table;
}

void TokenStrip::setStale(bool stale)
{
    m_stale = stale;
    update();
}

void TokenStrip::setDetailed(bool detailed)
{
    if (detailed == m_detailed)
        return;
    m_detailed = detailed;
    m_placed.clear();
    scrollTo(m_offset);
}

QString TokenStrip::chipNote(int index) const
{
    if (!m_detailed)
        return QString::number(index);
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    if (chip.bytes.begin == chip.bytes.end)
        return QStringLiteral("#%1").arg(chip.id);
    return QStringLiteral("#%1 \u00B7 %2\u2013%3")
        .arg(chip.id)
        .arg(chip.bytes.begin)
        .arg(chip.bytes.end);
}

void TokenStrip::place() const
{
    if (!m_placed.empty() || m_chips.empty())
        return;
    const Theme theme = Theme::of(*this);
    const QFontMetricsF text(theme.font(TextRole::StripToken));
    const QFontMetricsF position(theme.font(TextRole::Caption));
    m_cutWidth =
        m_total > m_shown
            ? position.horizontalAdvance(tr("%1 of %2 shown").arg(count(m_shown), count(m_total))) +
                  24.0
            : 0.0;
    double x = 0.0;
    m_placed.reserve(m_chips.size());
    for (std::size_t index = 0; index < m_chips.size(); ++index) {
        if (static_cast<int>(index) == m_shown && m_cutWidth > 0.0) {
            m_cutX = x;
            x += m_cutWidth;
        }
        const TokenChip& chip = m_chips[index];
        const double word =
            std::min(text.horizontalAdvance(chip.text), kLongestText * theme.scale());
        const double digits = position.horizontalAdvance(chipNote(static_cast<int>(index)));
        const double width =
            std::ceil(2.0 * kPadding + word + digits + (chip.text.isEmpty() ? 0.0 : kPositionGap));
        const bool joined = index + 1 < m_chips.size() && m_chips[index + 1].joinsPrevious;
        m_placed.push_back({x, std::max(width, 24.0)});
        x += m_placed.back().width + (joined ? 0.0 : kChipGap);
    }
    if (m_shown == static_cast<int>(m_chips.size()))
        m_cutX = x;
}

double TokenStrip::contentWidth() const
{
    place();
    if (m_placed.empty())
        return 0.0;
    const double end = m_placed.back().x + m_placed.back().width;
    return m_cutWidth > 0.0 ? std::max(end, m_cutX + m_cutWidth) : end;
}

bool TokenStrip::overflows() const
{
    return contentWidth() > width();
}

QRectF TokenStrip::chipRect(int index) const
{
    place();
    if (index < 0 || index >= static_cast<int>(m_placed.size()))
        return {};
    const Placed& placed = m_placed[static_cast<std::size_t>(index)];
    const double height =
        std::min(32.0 * Theme::of(*this).scale(), static_cast<double>(this->height()) - 4.0);
    return {placed.x - m_offset + 2.0, std::round((this->height() - height) / 2.0), placed.width,
            height};
}

std::optional<int> TokenStrip::chipAt(QPointF position) const
{
    place();
    const double x = position.x() + m_offset - 2.0;
    const auto after =
        std::upper_bound(m_placed.begin(), m_placed.end(), x,
                         [](double value, const Placed& placed) { return value < placed.x; });
    if (after == m_placed.begin())
        return std::nullopt;
    const auto index = static_cast<int>(after - m_placed.begin()) - 1;
    return chipRect(index).contains(position) ? std::optional<int>(index) : std::nullopt;
}

void TokenStrip::scrollTo(double offset)
{
    const double most = std::max(0.0, contentWidth() + 4.0 - width());
    m_offset = std::clamp(std::round(offset), 0.0, most);
    update();
}

void TokenStrip::ensureVisible(int index)
{
    const QRectF rect = chipRect(index);
    const double margin = overflows() ? kArrowWidth + 8.0 : 0.0;
    if (rect.left() < margin)
        scrollTo(m_offset + rect.left() - margin);
    else if (rect.right() > width() - margin)
        scrollTo(m_offset + rect.right() - width() + margin);
}

QSize TokenStrip::sizeHint() const
{
    return {600, qRound(40.0 * Theme::of(*this).scale())};
}

QSize TokenStrip::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

QString TokenStrip::chipToolTip(int index) const
{
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    QString text = tr("“%1” · position %2 · id %3").arg(chip.rawText).arg(index).arg(chip.id);
    text += chip.special && chip.bytes.begin == chip.bytes.end
                ? QStringLiteral("\n") + tr("special token, not in the text")
                : QStringLiteral("\n") +
                      tr("bytes %1 to %2 of the text").arg(chip.bytes.begin).arg(chip.bytes.end);
    if (chip.joinsPrevious)
        text += QLatin1Char('\n') + tr("part of the character before it");
    if (index >= m_shown)
        text += QLatin1Char('\n') + tr("beyond the model's longest text, not shown to it");
    return text;
}

bool TokenStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto index = chipAt(help->pos()))
            QToolTip::showText(help->globalPos(), chipToolTip(*index), this,
                               chipRect(*index).toAlignedRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void TokenStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange) {
        m_placed.clear();
        updateGeometry();
    }
    update();
    QWidget::changeEvent(event);
}

void TokenStrip::resizeEvent(QResizeEvent*)
{
    scrollTo(m_offset);
    if (m_query)
        ensureVisible(*m_query);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event)
{
    const auto index = chipAt(event->position());
    if (index == m_hovered)
        return;
    m_hovered = index;
    emit chipHovered(index);
    update();
}

void TokenStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    const double x = event->position().x();
    if (overflows() && (x < kArrowWidth || x > width() - kArrowWidth)) {
        scrollTo(m_offset + (x < kArrowWidth ? -0.8 : 0.8) * width());
        return;
    }
    const auto index = chipAt(event->position());
    if (!index || *index >= m_shown)
        return;
    if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        setKey(index);
        emit keyChosen(*index);
    } else {
        setQuery(index);
        emit queryChosen(*index);
    }
}

void TokenStrip::leaveEvent(QEvent*)
{
    if (!m_hovered)
        return;
    m_hovered.reset();
    emit chipHovered(std::nullopt);
    update();
}

void TokenStrip::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const int turn = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
    scrollTo(m_offset - turn * 0.5);
    event->accept();
}

void TokenStrip::keyPressEvent(QKeyEvent* event)
{
    const bool forKey = (event->modifiers() & Qt::ShiftModifier) != 0;
    const int now = (forKey ? m_key : m_query).value_or(-1);
    int next = -2;
    switch (event->key()) {
    case Qt::Key_Left:
        next = std::max(now - 1, 0);
        break;
    case Qt::Key_Right:
        next = now + 1;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = m_shown - 1;
        break;
    default:
        break;
    }
    if (next == -2 || m_shown == 0 || (event->modifiers() & Qt::ControlModifier) != 0)
        return QWidget::keyPressEvent(event);
    next = std::clamp(next, 0, m_shown - 1);
    if (forKey) {
        setKey(next);
        ensureVisible(next);
        emit keyChosen(next);
    } else {
        setQuery(next);
        emit queryChosen(next);
    }
}

} // namespace headscope::ui
