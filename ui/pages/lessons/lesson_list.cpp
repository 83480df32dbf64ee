#include "ui/pages/lessons/lesson_list.h"

#include <QEvent>
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

constexpr double kNarrowest = 268.0; // of a column
constexpr double kGap = 24.0;
constexpr int kMostColumns = 4;
constexpr double kChapter = 38.0; // heights at scale 1
constexpr double kLesson = 42.0;
constexpr double kSign = 36.0; // room for number and progress

/// The last row of each column: chapters stay together where the columns come out even enough.
std::vector<std::size_t> columnEnds(const std::vector<double>& heights,
                                    const std::vector<bool>& begins, int columns)
{
    double total = 0.0;
    for (const double height : heights)
        total += height;
    std::vector<std::size_t> ends;
    double above = 0.0;
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const double target = total * static_cast<double>(ends.size() + 1) / columns;
        const bool isLate = above + heights[i] / 2.0 > target;
        if (isLate && begins[i] && static_cast<int>(ends.size()) + 1 < columns)
            ends.push_back(i);
        above += heights[i];
    }
    ends.push_back(heights.size());
    return ends;
}

} // namespace

LessonList::LessonList(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Lessons of the course"));
    makeReadableList(*this, [this] { return readable(); });
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LessonList::setRows(std::vector<Row> rows)
{
    const QString before = currentId();
    m_rows = std::move(rows);
    m_layoutWidth = -1.0;
    m_current = -1;
    setCurrent(before);
    updateGeometry();
    update();
}

void LessonList::setCurrent(const QString& id)
{
    const auto found = std::ranges::find_if(
        m_rows, [&](const Row& row) { return !row.id.isEmpty() && row.id == id; });
    const auto first =
        std::ranges::find_if(m_rows, [](const Row& row) { return !row.id.isEmpty(); });
    const auto chosen = found == m_rows.end() ? first : found;
    m_current = chosen == m_rows.end() ? -1 : static_cast<int>(chosen - m_rows.begin());
    update();
    emit currentChanged();
}

QString LessonList::currentId() const
{
    return m_current < 0 ? QString() : m_rows[static_cast<std::size_t>(m_current)].id;
}

QString LessonList::currentSummary() const
{
    return m_current < 0 ? QString() : m_rows[static_cast<std::size_t>(m_current)].summary;
}

// --------------------------------------------------------------------------------------- layout

LessonList::Layout LessonList::layoutFor(double width) const
{
    const double scale = Theme::of(*this).scale();
    const int columns = std::clamp(
        static_cast<int>((width + kGap * scale) / ((kNarrowest + kGap) * scale)), 1, kMostColumns);
    const double wide = (width - (columns - 1) * kGap * scale) / columns;
    std::vector<double> heights;
    std::vector<bool> begins;
    for (const Row& row : m_rows) {
        heights.push_back((row.id.isEmpty() ? kChapter : kLesson) * scale);
        begins.push_back(row.id.isEmpty());
    }
    Layout layout;
    std::size_t row = 0;
    double x = 0.0;
    for (const std::size_t end : columnEnds(heights, begins, columns)) {
        double y = 0.0;
        for (; row < end; ++row) {
            layout.places.emplace_back(x, y, wide, heights[row]);
            y += heights[row];
        }
        layout.height = std::max(layout.height, y);
        x += wide + kGap * scale;
    }
    return layout;
}

const LessonList::Layout& LessonList::places() const
{
    if (m_layoutWidth != width()) {
        m_layout = layoutFor(width());
        m_layoutWidth = width();
    }
    return m_layout;
}

int LessonList::heightForWidth(int width) const
{
    return static_cast<int>(std::ceil(layoutFor(width).height));
}

QSize LessonList::sizeHint() const
{
    return {900, heightForWidth(std::max(width(), 320))};
}

int LessonList::rowAt(QPointF place) const
{
    const Layout& layout = places();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (!m_rows[i].id.isEmpty() && layout.places[i].contains(place))
            return static_cast<int>(i);
    }
    return -1;
}

// ------------------------------------------------------------------------------ keys and pointer

void LessonList::moveTo(int row)
{
    if (row < 0 || row == m_current)
        return;
    m_current = row;
    update();
    emit currentMoved(places().places[static_cast<std::size_t>(row)].toAlignedRect());
    announceCurrent(*this);
    emit currentChanged();
}

void LessonList::moveBy(int direction)
{
    for (int row = m_current + direction; row >= 0 && row < static_cast<int>(m_rows.size());
         row += direction) {
        if (!m_rows[static_cast<std::size_t>(row)].id.isEmpty())
            return moveTo(row);
    }
}

/// The nearest lesson of the next column.
void LessonList::moveSideways(int direction)
{
    if (m_current < 0)
        return;
    const std::vector<QRectF>& all = places().places;
    const QRectF from = all[static_cast<std::size_t>(m_current)];
    int best = -1;
    double nearest = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double across = (all[i].x() - from.x()) * direction;
        if (m_rows[i].id.isEmpty() || across <= 1.0)
            continue;
        const double distance = across * 4.0 + std::abs(all[i].y() - from.y());
        if (best < 0 || distance < nearest) {
            best = static_cast<int>(i);
            nearest = distance;
        }
    }
    moveTo(best);
}

void LessonList::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Down:
        return moveBy(1);
    case Qt::Key_Up:
        return moveBy(-1);
    case Qt::Key_Right:
        return moveSideways(1);
    case Qt::Key_Left:
        return moveSideways(-1);
    case Qt::Key_Home:
        m_current = -1;
        return moveBy(1);
    case Qt::Key_End:
        m_current = static_cast<int>(m_rows.size());
        return moveBy(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0)
            emit opened(currentId());
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void LessonList::mousePressEvent(QMouseEvent* event)
{
    moveTo(rowAt(event->position()));
}

void LessonList::mouseReleaseEvent(QMouseEvent* event)
{
    const int row = rowAt(event->position());
    if (row >= 0 && row == m_current && event->button() == Qt::LeftButton)
        emit opened(currentId());
}

void LessonList::mouseMoveEvent(QMouseEvent* event)
{
    const int row = rowAt(event->position());
    setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (row == m_hovered)
        return;
    m_hovered = row;
    update();
}

void LessonList::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

bool LessonList::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        m_layoutWidth = -1.0;
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        QToolTip::showText(help->globalPos(),
                           row < 0 ? QString() : m_rows[static_cast<std::size_t>(row)].summary,
                           this);
        return true;
    }
    return QWidget::event(event);
}

// -------------------------------------------------------------------------------------- reading

QString LessonList::wordsOf(const Row& row) const
{
    if (row.id.isEmpty())
        return tr("Chapter: %1").arg(row.title);
    const QString state = row.seen == 0 ? tr("not begun")
                          : row.seen < row.steps
                              ? tr("%1 of %2 steps seen").arg(row.seen).arg(row.steps)
                              : tr("done");
    return tr("Lesson %1, %2. %3 %4")
        .arg(QString::number(row.number), row.title, row.summary, state);
}

ReadableTable LessonList::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(m_rows.size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) {
        return wordsOf(m_rows[static_cast<std::size_t>(cell.row)]);
    };
    table.place = [this](HeatmapCell cell) {
        return places().places[static_cast<std::size_t>(cell.row)];
    };
    if (m_current >= 0)
        table.current = HeatmapCell{m_current, 0};
    return table;
}

// -------------------------------------------------------------------------------------- drawing

void LessonList::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Layout& layout = places();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool current = static_cast<int>(i) == m_current;
        const QRectF place = layout.places[i];
        if (m_rows[i].id.isEmpty()) {
            paintChapter(painter, place, m_rows[i], theme);
            continue;
        }
        if (current || static_cast<int>(i) == m_hovered) {
            painter.setPen(current && hasFocus() ? QPen(theme.accent, 2.0) : QPen(Qt::NoPen));
            painter.setBrush(current ? theme.soft : theme.hover);
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 6, 6);
        }
        paintLesson(painter, place, m_rows[i], theme);
    }
}

void LessonList::paintChapter(QPainter& painter, const QRectF& place, const Row& row,
                              const Theme& theme) const
{
    painter.setFont(theme.font(TextRole::Heading));
    painter.setPen(theme.text);
    const QFontMetricsF metrics(painter.font());
    painter.drawText(place.adjusted(8, 0, -8, -6), Qt::AlignLeft | Qt::AlignBottom,
                     metrics.elidedText(row.title, Qt::ElideRight, place.width() - 16));
}

void LessonList::paintLesson(QPainter& painter, const QRectF& place, const Row& row,
                             const Theme& theme) const
{
    const double scale = theme.scale();
    const double radius = 11.0 * scale;
    const QPointF centre(place.x() + 8.0 + radius, place.center().y());
    const QRectF ring(centre.x() - radius, centre.y() - radius, 2.0 * radius, 2.0 * radius);
    const bool done = row.seen >= row.steps && row.steps > 0;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(done ? theme.accent : theme.line2, 1.5));
    painter.drawEllipse(ring);
    if (row.seen > 0 && !done) {
        painter.setPen(QPen(theme.accent, 2.5));
        painter.drawArc(ring, 90 * 16, -360 * 16 * row.seen / row.steps);
    }
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(done ? theme.accent : theme.text2);
    painter.drawText(ring, Qt::AlignCenter,
                     done ? QStringLiteral("\u2713") : QString::number(row.number));
    const QRectF words = place.adjusted(kSign * scale + 4.0, 4.0 * scale, -8, -4.0 * scale);
    const auto line = [&](const QString& text, TextRole role, const QColor& colour, int where) {
        painter.setFont(theme.font(role));
        painter.setPen(colour);
        painter.drawText(
            words, Qt::AlignLeft | where,
            QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, words.width()));
    };
    line(row.title, TextRole::Table, theme.text, Qt::AlignTop);
    line(row.summary, TextRole::Caption, theme.text3, Qt::AlignBottom);
}

} // namespace headscope::ui
