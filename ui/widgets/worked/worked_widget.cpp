#include "ui/widgets/worked/worked_widget.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kMotionMs = 180.0;
constexpr int kFrameMs = 16;

double easeOut(double fraction)
{
    const double left = 1.0 - std::clamp(fraction, 0.0, 1.0);
    return 1.0 - left * left * left;
}

/// True for text that can start a number.
bool beginsNumber(const QString& typed)
{
    return typed.size() == 1 && (typed.at(0).isDigit() || QStringLiteral("-+.").contains(typed));
}

void appendCells(std::vector<CellAddress>& cells, const WorkedBlock& block)
{
    for (int row = 0; row < block.rows; ++row)
        for (int column = 0; column < block.columns; ++column)
            cells.push_back({block.matrix, row, column});
}

} // namespace

WorkedWidget::WorkedWidget(QWidget* parent)
    : DrawnWidget(Items::Plane, tr("Worked example"), parent)
{
    setMouseTracking(true);
    leaveKeysWith(~Qt::KeyboardModifiers(Qt::KeypadModifier));
    m_motion.setInterval(kFrameMs);
    connect(&m_motion, &QTimer::timeout, this, [this] {
        if (static_cast<double>(m_since.elapsed()) >= kMotionMs)
            m_motion.stop();
        update();
    });
}

void WorkedWidget::setDiagram(WorkedDiagram diagram)
{
    const bool stepped = diagram.done != m_diagram.done || diagram.isAsking != m_diagram.isAsking;
    const std::vector<WorkedRing> before =
        stepped && isVisible() ? workedRings(layoutNow(), m_diagram, Theme::of(*this))
                               : std::vector<WorkedRing>();
    diagram.cursor = m_diagram.cursor;
    m_diagram = std::move(diagram);
    m_isOld = true;
    if (m_diagram.cursor && !layoutNow().block(m_diagram.cursor->matrix))
        m_diagram.cursor.reset();
    if (m_diagram.cursor &&
        (m_diagram.cursor->row >= m_diagram.matrix(m_diagram.cursor->matrix).rows() ||
         m_diagram.cursor->column >= m_diagram.matrix(m_diagram.cursor->matrix).columns()))
        m_diagram.cursor.reset();
    if (stepped)
        startMotion(before);
    itemsChanged(itemOf(m_diagram.cursor));
}

void WorkedWidget::startMotion(const std::vector<WorkedRing>& from)
{
    m_from = from;
    m_motion.stop();
    if (m_reduced || m_from.empty() || !isVisible())
        return;
    m_since.start();
    m_motion.start();
}

QRectF WorkedWidget::layoutArea(QSizeF size)
{
    return QRectF(QPointF(), size).adjusted(8.0, 4.0, -8.0, -2.0);
}

const WorkedLayout& WorkedWidget::layoutNow() const
{
    if (m_isOld) {
        m_layout = WorkedLayout(layoutArea(size()), m_diagram, Theme::of(*this));
        m_isOld = false;
        m_cells.clear();
        for (const WorkedBlock& block : m_layout.large())
            appendCells(m_cells, block);
        m_largeCells = static_cast<int>(m_cells.size());
        for (const WorkedBlock& block : m_layout.small())
            if (m_layout.block(block.matrix) == &block)
                appendCells(m_cells, block);
    }
    return m_layout;
}

const std::vector<CellAddress>& WorkedWidget::cells() const
{
    layoutNow();
    return m_cells;
}

std::optional<int> WorkedWidget::itemOf(std::optional<CellAddress> cell) const
{
    const auto found = cell ? std::ranges::find(cells(), *cell) : cells().end();
    return found == cells().end() ? std::nullopt
                                  : std::optional(static_cast<int>(found - cells().begin()));
}

std::optional<int> WorkedWidget::itemAt(QPointF position) const
{
    return itemOf(layoutNow().cellAt(position));
}

QSize WorkedWidget::sizeHint() const
{
    const double scale = Theme::of(*this).scale();
    return {qRound(760 * scale), qRound(480 * scale)};
}

QSize WorkedWidget::minimumSizeHint() const
{
    return {320, 240};
}

void WorkedWidget::placeCursor(std::optional<CellAddress> cell)
{
    m_diagram.cursor = cell;
    setCurrentItem(itemOf(cell));
}

/// True for inputs and, in "let me try", the cell that is asked for.
bool WorkedWidget::isOpenable(CellAddress cell) const
{
    return (m_diagram.isEditable && m_diagram.matrix(cell.matrix).isInput) ||
           (m_diagram.isAsking && m_diagram.isNext(cell));
}

// ------------------------------------------------------------------------------------------ words

/// List of the large matrices' cells. Until the keyboard is among them, the step's result is
/// current.
ReadableTable WorkedWidget::readable() const
{
    ReadableTable table = DrawnWidget::readable();
    table.value = [this](HeatmapCell cell) { return m_diagram.text(cellOf(cell.row), 4); };
    const WorkedStep* step = m_diagram.isEmpty() ? nullptr : m_diagram.step();
    const auto current = currentItem() || !step ? currentItem() : itemOf(step->result);
    table.rows = m_largeCells;
    table.current =
        current && *current < m_largeCells ? std::optional(HeatmapCell{*current, 0}) : std::nullopt;
    return table;
}

QString WorkedWidget::description() const
{
    return m_diagram.isEmpty() ? QString()
           : m_diagram.cursor  ? describeCell(m_diagram, *m_diagram.cursor)
                               : describeStep(m_diagram);
}

// ----------------------------------------------------------------------------------------- events

bool WorkedWidget::event(QEvent* event)
{
    const bool restyled = event->type() == QEvent::ApplicationFontChange ||
                          event->type() == QEvent::PaletteChange ||
                          event->type() == QEvent::FontChange;
    if (restyled) {
        m_isOld = true;
        updateGeometry();
    }
    return DrawnWidget::event(event);
}

void WorkedWidget::paintEvent(QPaintEvent*)
{
    if (m_diagram.isEmpty())
        return;
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    const WorkedLayout& layout = layoutNow();
    std::vector<WorkedRing> rings = workedRings(layout, m_diagram, theme);
    if (m_motion.isActive())
        rings = ringsBetween(m_from, rings,
                             easeOut(static_cast<double>(m_since.elapsed()) / kMotionMs));
    WorkedDiagram shown = m_diagram;
    if (!hasFocus())
        shown.cursor.reset();
    paintWorked(painter, layout, shown, rings, theme);
    if (hasFocus() && !shown.cursor) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2.0));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0), 6.0, 6.0);
    }
}

void WorkedWidget::resizeEvent(QResizeEvent* event)
{
    m_isOld = true;
    DrawnWidget::resizeEvent(event);
}

void WorkedWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !itemAt(event->position()))
        placeCursor({});
    DrawnWidget::mousePressEvent(event);
}

void WorkedWidget::clickItem(int item)
{
    goToItem(item);
    openItem(item);
}

bool WorkedWidget::openItem(int item)
{
    const bool opens = isOpenable(cellOf(item));
    if (opens)
        emit cellOpened(cellOf(item), {});
    return opens;
}

void WorkedWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto item = itemAt(event->position());
    setCursor(item && isOpenable(cellOf(*item)) ? Qt::IBeamCursor : Qt::ArrowCursor);
}

std::optional<int> WorkedWidget::firstItem() const
{
    if (m_diagram.isEmpty())
        return std::nullopt;
    for (const WorkedStep* step : {m_diagram.step(), m_diagram.nextStep()})
        if (const auto item = step ? itemOf(step->result) : std::nullopt)
            return item;
    return m_largeCells > 0 ? std::optional(0) : std::nullopt;
}

/// Nearest cell in that direction, possibly of another matrix.
std::optional<int> WorkedWidget::itemAfter(int key) const
{
    const QPointF way = directionOf(key);
    if (way.isNull())
        return std::nullopt;
    if (!currentItem())
        return way.y() != 0.0 ? firstItem() : std::nullopt;
    const QPointF from = itemRect(*currentItem()).center();
    std::optional<int> nearest = currentItem();
    double least = 1e9;
    for (int item = 0; item < itemCount(); ++item) {
        const QPointF to = itemRect(item).center() - from;
        const double along = QPointF::dotProduct(to, way);
        const double beside = std::abs(to.x() * way.y()) + std::abs(to.y() * way.x());
        const double distance = along + 3.0 * beside;
        if (along >= 4.0 && distance < least) {
            least = distance;
            nearest = item;
        }
    }
    return nearest;
}

bool WorkedWidget::pressKey(const QKeyEvent& event)
{
    const auto cell = m_diagram.cursor;
    const bool opens = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    const auto first = opens && !cell ? firstItem() : std::nullopt;
    if (first)
        goToItem(*first);
    else if (cell && event.key() == Qt::Key_Escape)
        placeCursor({});
    else if (cell && isOpenable(*cell) && beginsNumber(event.text()))
        emit cellOpened(*cell, event.text());
    else
        return false;
    return true;
}

} // namespace headscope::ui
