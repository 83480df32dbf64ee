#include "ui/pages/lessons/lesson_list.h"

#include "ui/widgets/style/focus_frame.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kNarrowest = 260.0; // Minimum width of a column.
constexpr double kGap = 16.0;
constexpr int kMostColumns = 4;
constexpr double kChapter = 36.0; // Heights at scale 1.
constexpr double kLesson = 42.0;
constexpr double kSign = 32.0; // Room for number and progress.

/// A chapter: its first row, and the height of all its rows.
struct Chapter
{
    std::size_t begin = 0;
    double height = 0.0;
};

std::vector<Chapter> chaptersOf(const std::vector<double>& heights, const std::vector<bool>& begins)
{
    std::vector<Chapter> chapters;
    for (std::size_t i = 0; i < heights.size(); ++i) {
        if (begins[i] || chapters.empty())
            chapters.push_back({i, 0.0});
        chapters.back().height += heights[i];
    }
    return chapters;
}

/// First rows of all columns but the first, if no column is taller than `tallest`.
std::vector<std::size_t> breaksFor(const std::vector<Chapter>& chapters, double tallest)
{
    std::vector<std::size_t> breaks;
    double height = 0.0;
    for (const Chapter& chapter : chapters) {
        if (height > 0.0 && height + chapter.height > tallest) {
            breaks.push_back(chapter.begin);
            height = 0.0;
        }
        height += chapter.height;
    }
    return breaks;
}

/// Last row of each column: chapters stay together, and the tallest column is as low as possible.
std::vector<std::size_t> columnEnds(const std::vector<double>& heights,
                                    const std::vector<bool>& begins, int columns)
{
    const std::vector<Chapter> chapters = chaptersOf(heights, begins);
    std::vector<double> limits; // of chapters in sequence: one of these is the tallest column
    for (std::size_t first = 0; first < chapters.size(); ++first) {
        double height = 0.0;
        for (std::size_t last = first; last < chapters.size(); ++last)
            limits.push_back(height += chapters[last].height);
    }
    std::ranges::sort(limits);
    const double largest =
        chapters.empty() ? 0.0 : std::ranges::max(chapters, {}, &Chapter::height).height;
    std::vector<std::size_t> ends;
    for (const double limit : limits) {
        ends = breaksFor(chapters, limit);
        if (limit >= largest && static_cast<int>(ends.size()) < columns)
            break;
    }
    ends.push_back(heights.size());
    return ends;
}

} // namespace

LessonList::LessonList(QWidget* parent)
    : DrawnWidget(Items::Plane, tr("Lessons of the course"), parent)
{
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LessonList::setRows(std::vector<Row> rows)
{
    const QString before = currentId();
    m_rows = std::move(rows);
    m_layoutWidth = -1.0;
    setCurrent(before);
    updateGeometry();
}

void LessonList::setCurrent(const QString& id)
{
    std::optional<int> chosen = lessonFrom(0, 1);
    for (int item = 0; item < itemCount(); ++item) {
        if (isLesson(item) && row(item).id == id)
            chosen = item;
    }
    itemsChanged(chosen);
    emit currentChanged();
}

QString LessonList::currentId() const
{
    return currentItem() ? row(*currentItem()).id : QString();
}

QString LessonList::currentSummary() const
{
    return currentItem() ? row(*currentItem()).summary : QString();
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

QRectF LessonList::itemRect(int item) const
{
    return places().places[static_cast<std::size_t>(item)];
}

std::optional<int> LessonList::itemAt(QPointF position) const
{
    const auto item = DrawnWidget::itemAt(position);
    return item && isLesson(*item) ? item : std::nullopt;
}

// ------------------------------------------------------------------------------ keys and pointer

void LessonList::goToItem(int item)
{
    if (item == currentItem())
        return;
    setCurrentItem(item);
    emit currentMoved(itemRect(item).toAlignedRect());
    emit currentChanged();
}

/// The first lesson at `item` or beyond it.
std::optional<int> LessonList::lessonFrom(int item, int direction) const
{
    while (item >= 0 && item < itemCount() && !isLesson(item))
        item += direction;
    return item >= 0 && item < itemCount() ? std::optional(item) : std::nullopt;
}

/// The nearest lesson of the next column.
std::optional<int> LessonList::lessonBeside(int item, double direction) const
{
    const QRectF from = itemRect(item);
    std::optional<int> best;
    double nearest = 0.0;
    for (int other = 0; other < itemCount(); ++other) {
        const QRectF place = itemRect(other);
        const double across = (place.x() - from.x()) * direction;
        if (!isLesson(other) || across <= 1.0)
            continue;
        const double distance = across * 4.0 + std::abs(place.y() - from.y());
        if (!best || distance < nearest) {
            best = other;
            nearest = distance;
        }
    }
    return best;
}

/// Without a next one, the current lesson, so that no key scrolls the page by accident.
std::optional<int> LessonList::itemAfter(int key) const
{
    const auto now = currentItem();
    const QPointF way = directionOf(key);
    if (!now || (way.isNull() && key != Qt::Key_Home && key != Qt::Key_End))
        return std::nullopt;
    std::optional<int> next;
    if (key == Qt::Key_Home)
        next = lessonFrom(0, 1);
    else if (key == Qt::Key_End)
        next = lessonFrom(itemCount() - 1, -1);
    else if (way.x() != 0.0)
        next = lessonBeside(*now, way.x());
    else
        next = lessonFrom(*now + static_cast<int>(way.y()), static_cast<int>(way.y()));
    return next ? next : now;
}

void LessonList::keyPressEvent(QKeyEvent* event)
{
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                       event->key() == Qt::Key_Space;
    if (!opens)
        return DrawnWidget::keyPressEvent(event);
    if (currentItem())
        emit opened(currentId());
}

void LessonList::mouseReleaseEvent(QMouseEvent* event)
{
    const auto item = itemAt(event->position());
    if (item && item == currentItem() && event->button() == Qt::LeftButton)
        emit opened(currentId());
}

void LessonList::hoverChanged()
{
    setCursor(hoveredItem() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LessonList::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        m_layoutWidth = -1.0;
    DrawnWidget::changeEvent(event);
}

// -------------------------------------------------------------------------------------- reading

QString LessonList::itemText(int item) const
{
    const Row& row = this->row(item);
    if (row.id.isEmpty())
        return tr("Chapter: %1").arg(row.title);
    const QString state = row.seen == 0 ? tr("not started")
                          : row.seen < row.steps
                              ? tr("%1 of %2 steps seen").arg(row.seen).arg(row.steps)
                              : tr("done");
    return tr("Lesson %1, %2. %3 %4")
        .arg(QString::number(row.number), row.title, row.summary, state);
}

// -------------------------------------------------------------------------------------- drawing

void LessonList::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Layout& layout = places();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool current = currentItem() == static_cast<int>(i);
        const QRectF place = layout.places[i];
        if (m_rows[i].id.isEmpty()) {
            paintChapter(painter, place, m_rows[i], theme);
            continue;
        }
        if (current || hoveredItem() == static_cast<int>(i)) {
            painter.setPen(current && hasFocus() ? QPen(theme.accent, 2.0) : QPen(Qt::NoPen));
            painter.setBrush(current ? theme.soft : theme.hover);
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 6, 6);
        }
        paintLesson(painter, place, m_rows[i], theme);
    }
    if (!currentItem())
        paintFocusFrame(painter, *this);
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
    const QRectF words = place.adjusted(kSign * scale + 4.0, 4.0 * scale, -2.0, -4.0 * scale);
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
