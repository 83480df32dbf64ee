#include "ui/widgets/text/token_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kArrowWidth = 24.0;
constexpr double kEdge = 2.0;        // space for the ring at the first and the last chip
constexpr double kTurnHeight = 18.0; // name and line of a turn

void paintChevron(QPainter& painter, const Theme& theme, QRectF area, bool left)
{
    painter.fillRect(area, theme.window);
    const QPointF middle = area.center();
    const double reach = left ? -3.0 : 3.0;
    painter.setPen(QPen(theme.text2, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(middle + QPointF(-reach, -5.0), middle + QPointF(reach, 0.0));
    painter.drawLine(middle + QPointF(reach, 0.0), middle + QPointF(-reach, 5.0));
}

} // namespace

TokenStrip::TokenStrip(QWidget* parent) : DrawnWidget(Items::Row, tr("Tokens"), parent)
{
    setMouseTracking(true);
    leaveKeysWith(Qt::ControlModifier);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TokenStrip::setChips(std::vector<TokenChip> chips)
{
    const auto size = static_cast<int>(chips.size());
    setChips(std::move(chips), size, size);
}

void TokenStrip::setChips(std::vector<TokenChip> chips, int shown, long long total)
{
    if (m_editor)
        m_editor->finish(false);
    m_chips = std::move(chips);
    m_shown = std::clamp(shown, 0, static_cast<int>(m_chips.size()));
    m_total = std::max(total, static_cast<long long>(m_chips.size()));
    m_key = seenChip(m_key);
    placeAgain();
    itemsChanged(seenChip(query()));
}

/// Index if the token is within the model's context, else none.
std::optional<int> TokenStrip::seenChip(std::optional<int> index) const
{
    return index && *index >= 0 && *index < m_shown ? index : std::nullopt;
}

void TokenStrip::setQuery(std::optional<int> index)
{
    if (index == query())
        return;
    const auto seen = seenChip(index);
    if (seen)
        ensureVisible(*seen);
    setCurrentItem(seen);
}

QString TokenStrip::description() const
{
    const auto index = query();
    return index
               ? tr("query %1, %2").arg(m_chips[static_cast<std::size_t>(*index)].text).arg(*index)
               : QString();
}

void TokenStrip::setKey(std::optional<int> index)
{
    m_key = seenChip(index);
    update();
}

void TokenStrip::setWords(std::vector<int> words)
{
    m_words = std::move(words);
    update();
}

/// True for the marked chip and for the others of its word.
bool TokenStrip::isMarked(int index, std::optional<int> mark) const
{
    const auto count = static_cast<int>(m_words.size());
    if (!mark || *mark == index || *mark >= count || index >= count)
        return mark == index;
    return m_words[static_cast<std::size_t>(*mark)] == m_words[static_cast<std::size_t>(index)];
}

/// Text of one chip for screen readers.
QString TokenStrip::itemText(int index) const
{
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    const QString shown = chip.text.isEmpty() ? chip.rawText : chip.text;
    QString text = QStringLiteral("%1, %2").arg(shown.trimmed(), chipNote(index));
    if (isMarked(index, query()))
        text += tr(", query");
    if (isMarked(index, m_key))
        text += tr(", key");
    if (const QString turn = turnName(index); !turn.isEmpty())
        text += tr(", %1").arg(turn);
    if (chip.isOfTemplate())
        text += tr(", written by the chat template");
    if (index >= m_shown)
        text += tr(", beyond the model\u2019s context");
    return text;
}

void TokenStrip::setTurns(QStringList names)
{
    if (names == m_turns)
        return;
    const bool resizes = names.isEmpty() != m_turns.isEmpty();
    m_turns = std::move(names);
    if (resizes)
        updateGeometry();
    update();
}

void TokenStrip::setTemplateFolded(bool folded)
{
    if (folded == m_foldsTemplate)
        return;
    m_foldsTemplate = folded;
    placeAgain();
}

/// Name of the turn of a chip; empty outside of turns.
QString TokenStrip::turnName(int index) const
{
    return m_turns.value(m_chips[static_cast<std::size_t>(index)].turn);
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
    placeAgain();
}

QString TokenStrip::chipNote(int index) const
{
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    if (m_foldsTemplate && chip.isOfTemplate())
        return {};
    if (!m_detailed)
        return QString::number(index);
    if (chip.bytes.begin == chip.bytes.end)
        return QStringLiteral("#%1").arg(chip.id);
    return QStringLiteral("#%1 \u00B7 %2\u2013%3")
        .arg(chip.id)
        .arg(chip.bytes.begin)
        .arg(chip.bytes.end);
}

void TokenStrip::placeAgain()
{
    m_line.reset();
    scrollTo(m_offset);
}

const TokenLine& TokenStrip::line() const
{
    if (!m_line) {
        QStringList notes;
        for (int index = 0; index < std::ssize(m_chips); ++index)
            notes.append(chipNote(index));
        m_line.emplace(m_chips, notes, m_shown, cutMark(), Theme::of(*this));
    }
    return *m_line;
}

bool TokenStrip::overflows() const
{
    return line().width() > width();
}

QRectF TokenStrip::chipRect(int index) const
{
    if (!line().contains(index))
        return {};
    const double scale = Theme::of(*this).scale();
    const double above = m_turns.isEmpty() ? 0.0 : std::round(kTurnHeight * scale);
    const double room = this->height() - above;
    const double height = std::min(32.0 * scale, room - 4.0);
    const double y = above + std::round((room - height) / 2.0);
    return line().chip(index, y, height).translated(kEdge - m_offset, 0.0);
}

std::optional<int> TokenStrip::itemAt(QPointF position) const
{
    const auto index = line().chipBefore(position.x() + m_offset - kEdge);
    return index && chipRect(*index).contains(position) ? index : std::nullopt;
}

bool TokenStrip::isOnArrow(QPointF position) const
{
    return overflows() && (position.x() < kArrowWidth || position.x() > width() - kArrowWidth);
}

void TokenStrip::scrollTo(double offset)
{
    const double most = std::max(0.0, line().width() + 2.0 * kEdge - width());
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
    const double turns = m_turns.isEmpty() ? 0.0 : kTurnHeight;
    return {600, qRound((40.0 + turns) * Theme::of(*this).scale())};
}

QSize TokenStrip::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

QString TokenStrip::itemToolTip(int index) const
{
    const TokenChip& chip = m_chips[static_cast<std::size_t>(index)];
    QString text = tr("“%1” · position %2 · id %3").arg(chip.rawText).arg(index).arg(chip.id);
    text += chip.special && chip.bytes.begin == chip.bytes.end
                ? QStringLiteral("\n") + tr("special token, not in the text")
                : QStringLiteral("\n") +
                      tr("bytes %1 to %2 of the text").arg(chip.bytes.begin).arg(chip.bytes.end);
    if (const QString turn = turnName(index); !turn.isEmpty())
        text += QLatin1Char('\n') + tr("%1, turn %2").arg(turn).arg(chip.turn + 1);
    if (chip.isOfTemplate())
        text += QLatin1Char('\n') + tr("written by the chat template");
    if (chip.joinsPrevious)
        text += QLatin1Char('\n') + tr("part of the preceding character");
    if (index >= m_shown)
        text += QLatin1Char('\n') + tr("beyond the model's context, not computed");
    return text;
}

void TokenStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange)
        m_line.reset();
    update();
    DrawnWidget::changeEvent(event);
}

void TokenStrip::resizeEvent(QResizeEvent*)
{
    scrollTo(m_offset);
    if (const auto index = query())
        ensureVisible(*index);
}

void TokenStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return DrawnWidget::mousePressEvent(event);
    if (isOnArrow(event->position())) {
        const bool left = event->position().x() < kArrowWidth;
        scrollTo(m_offset + (left ? -0.8 : 0.8) * width());
        return;
    }
    const auto index = itemAt(event->position());
    if (!index || *index >= m_shown)
        return;
    if ((event->modifiers() & Qt::ShiftModifier) != 0)
        return chooseKey(*index);
    goToItem(*index);
    openItem(*index);
}

void TokenStrip::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const int turn = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
    scrollTo(m_offset - turn * 0.5);
    event->accept();
}

/// Index that a key moves to; none for other keys, or without tokens.
std::optional<int> TokenStrip::indexAfter(std::optional<int> index, int key) const
{
    if (m_shown == 0)
        return std::nullopt;
    const int now = index.value_or(-1);
    switch (key) {
    case Qt::Key_Left:
        return std::max(now - 1, 0);
    case Qt::Key_Right:
        return std::min(now + 1, m_shown - 1);
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return m_shown - 1;
    default:
        return std::nullopt;
    }
}

void TokenStrip::chooseKey(int index)
{
    setKey(index);
    ensureVisible(index);
    emit keyChosen(index);
}

void TokenStrip::goToItem(int index)
{
    setQuery(index);
    emit queryChosen(index);
}

void TokenStrip::setOpensChips(bool opens)
{
    m_opensChips = opens;
}

bool TokenStrip::openItem(int index)
{
    if (m_opensChips)
        emit chipOpened(index);
    return m_opensChips;
}

bool TokenStrip::pressKey(const QKeyEvent& event)
{
    const bool forKey = (event.modifiers() & Qt::ShiftModifier) != 0;
    const auto next = forKey ? indexAfter(m_key, event.key()) : std::nullopt;
    if (next)
        chooseKey(*next);
    return next.has_value();
}

void TokenStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (isOnArrow(event->position())) // a second quick click scrolls again
        return mousePressEvent(event);
    if (m_opensChips) // as two clicks
        return mousePressEvent(event);
    const auto index = itemAt(event->position());
    if (index && event->button() == Qt::LeftButton)
        emit editWanted(*index);
}

void TokenStrip::edit(int index, const QString& text)
{
    if (m_editor)
        m_editor->finish(false);
    if (!line().contains(index))
        return;
    ensureVisible(index);
    constexpr double kNarrowest = 96.0;
    QRectF place = chipRect(index).adjusted(-2, 0, 2, 0);
    place.setWidth(std::max(place.width(), kNarrowest * Theme::of(*this).scale()));
    place.moveRight(std::min(place.right(), width() - 1.0));
    m_editor = new TokenEditor(index, text, this);
    connect(m_editor, &TokenEditor::edited, this, &TokenStrip::edited);
    m_editor->setGeometry(place.toAlignedRect());
    m_editor->show();
    m_editor->setFocus();
}

QString TokenStrip::cutMark() const
{
    return m_total > m_shown ? tr("%1 of %2 shown").arg(count(m_shown), count(m_total)) : QString();
}

TokenChipState TokenStrip::chipState(int index) const
{
    const auto next = static_cast<std::size_t>(index) + 1;
    return {
        .isQuery = isMarked(index, query()),
        .isKey = isMarked(index, m_key),
        .isHovered = hoveredItem() == index,
        .isUnseen = index >= m_shown,
        .isStale = m_stale,
        .joinsNext = next < m_chips.size() && m_chips[next].joinsPrevious,
    };
}

/// Names each turn above its chips, with a line over all of them. A name stays in view while chips of
/// its turn are.
void TokenStrip::paintTurns(QPainter& painter, const Theme& theme) const
{
    const double arrows = overflows() ? kArrowWidth : 0.0;
    const double top = chipRect(0).y() - 5.0;
    const QFontMetricsF metrics(theme.font(TextRole::Caption));
    painter.setFont(theme.font(TextRole::Caption));
    double free = m_offset > 0.0 ? arrows : 0.0; // names begin here at the earliest
    for (int begin = 0, end = 0; begin < std::ssize(m_chips); begin = end) {
        const int turn = m_chips[static_cast<std::size_t>(begin)].turn;
        for (end = begin;
             end < std::ssize(m_chips) && m_chips[static_cast<std::size_t>(end)].turn == turn;)
            ++end;
        const QString name = turnName(begin);
        const QRectF all = chipRect(begin) | chipRect(end - 1);
        if (name.isEmpty() || all.right() < 0.0 || all.left() > width())
            continue;
        painter.fillRect(QRectF(all.x(), top, all.width(), 2.0), theme.control);
        const double x = std::max(all.x(), free);
        if (x > all.right())
            continue;
        painter.setPen(theme.text2);
        painter.drawText(QPointF(x, top - metrics.descent() - 1.0), name);
        free = x + metrics.horizontalAdvance(name) + 8.0;
    }
}

void TokenStrip::paintCutMark(QPainter& painter, const Theme& theme) const
{
    if (!line().hasCutMark())
        return;
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.warn);
    painter.drawText(line().cutMark(height()).translated(kEdge - m_offset, 0.0), Qt::AlignCenter,
                     cutMark());
}

/// Paints the focus ring around the query, or around the whole strip.
void TokenStrip::paintFocus(QPainter& painter, const Theme& theme) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2.0));
    const QRectF ring =
        query() ? chipRect(*query()).adjusted(-2, -2, 2, 2) : QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.drawRoundedRect(ring, 6, 6);
    if (!query())
        return;
    painter.setPen(QPen(theme.window, 1.0));
    painter.drawRoundedRect(chipRect(*query()).adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4);
}

void TokenStrip::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int index = 0; index < std::ssize(m_chips); ++index) {
        const QRectF rect = chipRect(index);
        if (rect.left() > width())
            break;
        if (rect.right() >= 0.0)
            paintTokenChip(painter, rect, m_chips[static_cast<std::size_t>(index)], chipNote(index),
                           chipState(index), theme);
    }
    if (!m_turns.isEmpty() && !m_chips.empty())
        paintTurns(painter, theme);
    paintCutMark(painter, theme);
    if (m_offset > 0.0)
        paintChevron(painter, theme, QRectF(0, 0, kArrowWidth, height()), true);
    if (line().width() + 2.0 * kEdge - m_offset > width())
        paintChevron(painter, theme, QRectF(width() - kArrowWidth, 0, kArrowWidth, height()),
                     false);
    if (hasFocus())
        paintFocus(painter, theme);
}

} // namespace headscope::ui
