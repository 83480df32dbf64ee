#include "ui/widgets/heatmap/lens_grid.h"

#include "core/text/token_sequence.h"
#include "ui/widgets/heatmap/heatmap_marks.h"
#include "ui/widgets/style/focus_frame.h"
#include "ui/widgets/style/text_widths.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kRowHeight = 24.0;
constexpr double kHeader = 24.0;
constexpr double kMostLabel = 96.0;
constexpr double kTallestRow = 36.0;
constexpr double kWidestCell = 160.0;
constexpr double kLabelGap = 12.0;

double labelWidthOf(const LensContent& content, const Theme& theme)
{
    const TextWidths widths(theme.font(TextRole::SmallToken));
    double widest = 0.0;
    for (const QString& label : content.rowLabels)
        widest = std::max(widest, widths.of(label));
    return std::min(widest, kMostLabel * theme.scale()) + kLabelGap;
}

void paintCell(QPainter& painter, const QRectF& rect, const LensContent& content, HeatmapCell cell,
               const ColourLookup& lookup, const Theme& theme)
{
    const std::size_t index = content.index(cell);
    const QRectF inner = rect.adjusted(0, 0, -1, -1);
    const bool isDefined = !std::isnan(content.values[index]);
    const QColor colour = isDefined ? QColor(lookup.colour(content.values[index])) : theme.surface;
    painter.fillRect(inner, colour);
    painter.setPen(isDefined ? cellTextColour(colour.rgb()) : theme.text3);
    painter.drawText(inner.adjusted(4, 0, -4, 0), Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetricsF(painter.font())
                         .elidedText(content.textOf(cell), Qt::ElideRight, inner.width() - 8));
    if (index < content.marked.size() && content.marked[index]) {
        const QRectF dot(inner.right() - 6, inner.top() + 2, 4, 4);
        painter.fillRect(dot.adjusted(-1, -1, 1, 1), theme.surface);
        painter.fillRect(dot, theme.more);
    }
}

/// Outlines the reached cells.
void paintCone(QPainter& painter, const LensLayout& layout, const LensContent& content,
               const Theme& theme)
{
    const auto reached = [&content](int row, int column) {
        const HeatmapCell cell{row, column};
        const bool inside =
            row >= 0 && row < content.rows() && column >= 0 && column < content.columns();
        return inside && content.cone[content.index(cell)];
    };
    for (int row = 0; row < content.rows(); ++row) {
        for (int column = 0; column < content.columns(); ++column) {
            if (!reached(row, column))
                continue;
            const QRectF cell = layout.cellRect({row, column});
            if (!reached(row - 1, column))
                painter.fillRect(QRectF(cell.x() - 1, cell.y() - 2, cell.width() + 1, 2),
                                 theme.less);
            if (!reached(row + 1, column))
                painter.fillRect(QRectF(cell.x() - 1, cell.bottom() - 1, cell.width() + 1, 2),
                                 theme.less);
            if (!reached(row, column - 1))
                painter.fillRect(QRectF(cell.x() - 2, cell.y() - 1, 2, cell.height() + 1),
                                 theme.less);
            if (!reached(row, column + 1))
                painter.fillRect(QRectF(cell.right() - 1, cell.y() - 1, 2, cell.height() + 1),
                                 theme.less);
        }
    }
}

/// Paints as many column names as fit.
void paintHeader(QPainter& painter, const LensLayout& layout, const LensContent& content,
                 const Theme& theme, double top)
{
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    double widest = 0.0;
    for (const QString& label : content.columnLabels)
        widest = std::max(widest, QFontMetricsF(painter.font()).horizontalAdvance(label));
    widest += 8.0 * theme.scale();
    const int step = std::max(
        1, static_cast<int>(std::ceil(widest / std::max(layout.cellRect({0, 0}).width(), 1.0))));
    for (int column = 0; column < content.columns(); column += step) {
        const QRectF first = layout.cellRect({0, column});
        painter.drawText(
            QRectF(first.center().x() - widest / 2.0, top, widest, kHeader * theme.scale()),
            Qt::AlignCenter, content.columnLabels[column]);
    }
}

int turnOf(const LensContent& content, int row)
{
    const auto at = static_cast<std::size_t>(row);
    return at < content.rowTurns.size() ? content.rowTurns[at] : kNoTurn;
}

/// Paints a row's part of the line beside a turn of a chat.
void paintTurn(QPainter& painter, const LensLayout& layout, const LensContent& content, int row,
               const QColor& colour)
{
    const int turn = turnOf(content, row);
    if (turn < 0)
        return;
    const bool ends = row + 1 == content.rows() || turnOf(content, row + 1) != turn;
    const QRectF cell = layout.cellRect({row, 0});
    painter.fillRect(QRectF(cell.x() - 7.0, cell.y(), 2.0, cell.height() - (ends ? 3.0 : 0.0)),
                     colour);
}

/// Paints the token of a row.
void paintRowLabel(QPainter& painter, const LensLayout& layout, const LensContent& content, int row,
                   const Theme& theme, double left)
{
    const QRectF first = layout.cellRect({row, 0});
    const bool isCurrent = content.current && content.current->row == row;
    painter.setFont(isCurrent ? theme.bold(TextRole::SmallToken)
                              : theme.font(TextRole::SmallToken));
    const bool isMuted = turnOf(content, row) == kTemplateTurn;
    painter.setPen(isCurrent ? theme.accent : isMuted ? theme.text3 : theme.text2);
    const double width = layout.labelWidth() - kLabelGap;
    painter.drawText(
        QRectF(left, first.y(), width, first.height()),
        Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetricsF(painter.font()).elidedText(content.rowLabels[row], Qt::ElideRight, width));
    paintTurn(painter, layout, content, row, theme.control);
}

/// Rows that `exposed` touches and that are not folded.
std::vector<int> rowsIn(const LensLayout& layout, const LensContent& content, QRectF exposed)
{
    std::vector<int> rows;
    for (int row = 0; row < content.rows(); ++row) {
        const QRectF cell = layout.cellRect({row, 0});
        const bool isExposed =
            exposed.isNull() || (cell.top() < exposed.bottom() && cell.bottom() > exposed.top());
        if (isExposed && !content.isFolded(row))
            rows.push_back(row);
    }
    return rows;
}

} // namespace

int LensContent::shownRows() const
{
    return rows() - static_cast<int>(std::ranges::count(foldedRows, true));
}

bool LensContent::holds(HeatmapCell cell) const
{
    return cell.row >= 0 && cell.row < rows() && cell.column >= 0 && cell.column < columns() &&
           !rowLabels[cell.row].isEmpty() && !isFolded(cell.row);
}

LensLayout::LensLayout(QRectF area, const LensContent& content, const Theme& theme)
    : m_origin(area.topLeft())
    , m_label(labelWidthOf(content, theme))
    , m_columns(content.columns())
{
    for (int row = 0; row < content.rows(); ++row) {
        m_places.push_back(static_cast<int>(m_shown.size()));
        if (!content.isFolded(row))
            m_shown.push_back(row);
    }
    const auto rows = static_cast<int>(m_shown.size());
    const double scale = theme.scale();
    const double room = area.width() - m_label - 4.0;
    const double width =
        std::clamp(std::floor(room / std::max(m_columns, 1)), 8.0, kWidestCell * scale);
    const double below = area.height() - kHeader * scale - 4.0;
    const double height =
        std::clamp(std::floor(below / std::max(rows, 1)), kRowHeight * scale, kTallestRow * scale);
    m_cell = {width, height};
    m_cells = {area.x() + m_label, area.y() + kHeader * scale, width * m_columns,
               m_cell.height() * rows};
}

QRectF LensLayout::cellRect(HeatmapCell cell) const
{
    const auto row = static_cast<std::size_t>(cell.row);
    const int place = row < m_places.size() ? m_places[row] : cell.row;
    return {m_cells.x() + cell.column * m_cell.width(), m_cells.y() + place * m_cell.height(),
            m_cell.width(), m_cell.height()};
}

std::optional<HeatmapCell> LensLayout::cellAt(QPointF position) const
{
    if (!m_cells.contains(position) || m_shown.empty())
        return std::nullopt;
    const auto place = static_cast<std::size_t>((position.y() - m_cells.y()) / m_cell.height());
    return HeatmapCell{
        m_shown[std::min(place, m_shown.size() - 1)],
        std::min(static_cast<int>((position.x() - m_cells.x()) / m_cell.width()), m_columns - 1)};
}

QSizeF lensSize(const LensContent& content, const Theme& theme)
{
    const double scale = theme.scale();
    return {labelWidthOf(content, theme) + content.columns() * 72.0 * scale + 4.0,
            (kHeader + content.shownRows() * kRowHeight) * scale + 4.0};
}

void paintLens(QPainter& painter, const LensLayout& layout, const LensContent& content,
               const Theme& theme, QRectF exposed)
{
    const ColourLookup lookup(content.shades(), theme);
    paintHeader(painter, layout, content, theme, layout.origin().y());
    for (const int row : rowsIn(layout, content, exposed)) {
        paintRowLabel(painter, layout, content, row, theme, layout.origin().x());
        if (content.rowLabels[row].isEmpty())
            continue;
        painter.setFont(theme.font(TextRole::Caption));
        for (int column = 0; column < content.columns(); ++column)
            paintCell(painter, layout.cellRect({row, column}), content, {row, column}, lookup,
                      theme);
    }
    if (!content.cone.empty())
        paintCone(painter, layout, content, theme);
    if (content.picked && content.holds(*content.picked))
        fillFrame(painter, layout.cellRect(*content.picked).adjusted(-2, -2, 1, 1), 3.0, theme.key);
    if (content.current && content.holds(*content.current)) {
        const QRectF rect = layout.cellRect(*content.current).adjusted(-2, -2, 1, 1);
        fillFrame(painter, rect, 2.0, theme.text);
        fillFrame(painter, rect.adjusted(2, 2, -2, -2), 2.0, theme.surface);
    }
}

QString describeLensCell(const LensContent& content, HeatmapCell cell)
{
    if (!content.holds(cell))
        return {};
    const std::size_t index = content.index(cell);
    QString words = content.wordsOf
                        ? content.wordsOf(cell)
                        : LensGrid::tr("token %1, layer %2: predicts %3, probability %4")
                              .arg(content.rowLabels[cell.row], content.columnLabels[cell.column],
                                   content.textOf(cell), number(double{content.values[index]}, 3));
    if (index < content.marked.size() && content.marked[index])
        words += LensGrid::tr(", differs");
    if (!content.cone.empty() && content.cone[index])
        words += LensGrid::tr(", reached by the patch");
    return words;
}

LensGrid::LensGrid() : DrawnWidget(Items::Table, tr("Predictions by layer"))
{
    leaveKeysWith(~Qt::KeyboardModifiers(Qt::KeypadModifier));
}

void LensGrid::setContent(LensContent content)
{
    const bool resized = content.shownRows() != m_content.shownRows();
    m_content = std::move(content);
    itemsChanged(itemOf(m_content.current));
    if (resized)
        updateGeometry();
}

LensLayout LensGrid::cells() const
{
    return {rect(), m_content, Theme::of(*this)};
}

QRectF LensGrid::cellRect(HeatmapCell cell) const
{
    return cells().cellRect(cell);
}

std::optional<HeatmapCell> LensGrid::cellAt(QPointF position) const
{
    const auto cell = cells().cellAt(position);
    return cell && m_content.holds(*cell) ? cell : std::nullopt;
}

void LensGrid::setCurrent(HeatmapCell cell)
{
    if (!m_content.holds(cell))
        return;
    m_content.current = cell;
    setCurrentItem(itemOf(cell));
}

std::optional<int> LensGrid::itemOf(std::optional<HeatmapCell> cell) const
{
    return cell && m_content.holds(*cell)
               ? std::optional(cell->row * m_content.columns() + cell->column)
               : std::nullopt;
}

std::optional<int> LensGrid::itemAt(QPointF position) const
{
    return itemOf(cellAt(position));
}

QString LensGrid::itemText(int item) const
{
    const HeatmapCell cell = cellOf(item);
    return m_content.holds(cell) ? describeLensCell(m_content, cell)
                                 : tr("not a token of this text");
}

ReadableTable LensGrid::readable() const
{
    ReadableTable table = DrawnWidget::readable();
    table.rowName = [this](int row) { return m_content.rowLabels[row]; };
    table.columnName = [this](int column) { return m_content.columnLabels[column]; };
    table.value = [this](HeatmapCell cell) {
        return m_content.wordsOf ? m_content.textOf(cell)
                                 : number(double{m_content.values[m_content.index(cell)]}, 3);
    };
    return table;
}

QSize LensGrid::sizeHint() const
{
    return lensSize(m_content, Theme::of(*this)).toSize();
}

QSize LensGrid::minimumSizeHint() const
{
    return {200, sizeHint().height()};
}

/// Paints the names of rows and columns, which stay visible when scrolled. A row that the column names
/// would cut is hidden.
void LensGrid::paintScrolledNames(QPainter& painter, const Theme& theme) const
{
    const QRect shown = visibleRegion().boundingRect();
    if (m_content.rows() == 0)
        return;
    const LensLayout layout = cells();
    const double header = kHeader * theme.scale();
    if (shown.left() > 0) {
        painter.fillRect(QRectF(shown.left(), 0.0, layout.labelWidth(), height()), theme.surface);
        for (const int row : rowsIn(layout, m_content, shown))
            paintRowLabel(painter, layout, m_content, row, theme, shown.left());
    }
    if (shown.top() > 0) {
        painter.fillRect(QRectF(0.0, shown.top(), width(), firstWholeRow() - shown.top()),
                         theme.surface);
        paintHeader(painter, layout, m_content, theme, shown.top());
    }
    if (shown.left() > 0) // keeps column names off the row names
        painter.fillRect(QRectF(shown.left(), shown.top(), layout.labelWidth(), header),
                         theme.surface);
}

double LensGrid::firstWholeRow() const
{
    const Theme theme = Theme::of(*this);
    const LensLayout layout = cells();
    const double begin = visibleRegion().boundingRect().top() + kHeader * theme.scale();
    for (int row = 0; row < m_content.rows(); ++row)
        if (const double top = layout.cellRect({row, 0}).top(); top >= begin)
            return top;
    return begin;
}

void LensGrid::paintEvent(QPaintEvent* event)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintLens(painter, cells(), m_content, theme, event->rect());
    paintScrolledNames(painter, theme);
    paintFocusFrame(painter, *this, visibleRegion().boundingRect());
}

void LensGrid::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = cellAt(event->position());
    DrawnWidget::mousePressEvent(event);
}

void LensGrid::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed || m_dragging || cellAt(event->position()) == m_pressed)
        return;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    emit dragged(*m_pressed);
}

void LensGrid::mouseReleaseEvent(QMouseEvent* event)
{
    const bool wasDragging = m_dragging;
    m_pressed.reset();
    m_dragging = false;
    unsetCursor();
    if (wasDragging)
        emit dropped(event->globalPosition().toPoint());
}

/// Skips gaps to the next token; stays if there is none.
std::optional<int> LensGrid::itemAfter(int key) const
{
    const QPoint way = directionOf(key).toPoint();
    if (way.isNull())
        return std::nullopt;
    HeatmapCell cell = m_content.current.value_or(HeatmapCell{0, -1});
    cell.column = std::clamp(cell.column + way.x(), 0, std::max(m_content.columns() - 1, 0));
    do
        cell.row += way.y();
    while (way.y() != 0 && cell.row >= 0 && cell.row < m_content.rows() && !m_content.holds(cell));
    return m_content.holds(cell) ? itemOf(cell) : currentItem();
}

void LensGrid::goToItem(int item)
{
    setCurrent(cellOf(item));
    emit cellActivated(cellOf(item));
}

bool LensGrid::openItem(int)
{
    if (m_content.current)
        emit cellOpened(*m_content.current);
    return m_content.current.has_value();
}

void LensGrid::moveEvent(QMoveEvent* event)
{
    DrawnWidget::moveEvent(event);
    update();
}

} // namespace headscope::ui
