#include "ui/widgets/heatmap/heatmap_widget.h"

#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/heatmap/heatmap_sink.h"
#include "ui/widgets/readable.h"
#include "ui/widgets/style/focus_frame.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kZoomStep = 1.25; // per key press or wheel notch
constexpr double kNotch = 120.0;

/// The sink is the last column.
ReadableTable readableOf(const HeatmapWidget& map)
{
    const HeatmapContent& content = map.content();
    const int keys = content.matrix.columns;
    const auto sinkOf = [&content](HeatmapCell cell) {
        return double{content.sink[static_cast<std::size_t>(cell.row)]};
    };
    return {
        .rows = content.matrix.rows,
        .columns = keys + (content.sink.empty() ? 0 : 1),
        .rowName = [&content](int row) { return content.rowLabel(row); },
        .columnName =
            [&content, keys](int column) {
                return column < keys ? content.columnLabel(column) : sinkName();
            },
        .words =
            [&content, keys](HeatmapCell cell) {
                return cell.column < keys ? describeCell(content, cell)
                                          : describeSink(content, cell.row);
            },
        .value =
            [&content, keys, sinkOf](HeatmapCell cell) {
                return readoutNumber(cell.column < keys ? content.matrix.at(cell) : sinkOf(cell));
            },
        .place =
            [&map, keys](HeatmapCell cell) {
                return cell.column < keys ? map.cellRect(cell) : map.layoutNow().sinkRect(cell.row);
            },
        .current = map.sinkRow() ? HeatmapCell{*map.sinkRow(), keys} : content.current,
    };
}

} // namespace

HeatmapWidget::HeatmapWidget(QWidget* parent) : QWidget(parent)
{
    makeReadable(*this, [this] { return readableOf(*this); });
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Attention map"));
}

void HeatmapWidget::invalidate(bool imageToo)
{
    m_layout.reset();
    if (imageToo) {
        m_image = QImage();
        m_tiles.clear();
    }
    update();
}

void HeatmapWidget::setContent(HeatmapContent content)
{
    const bool resized = content.matrix.rows != m_content.matrix.rows ||
                         content.matrix.columns != m_content.matrix.columns;
    const bool moved = content.current && content.current != m_content.current;
    const auto onSink = m_content.sinkRow;
    if (onSink && content.current == m_content.current &&
        static_cast<std::size_t>(*onSink) < content.sink.size())
        content.sinkRow = onSink; // the cursor stays where only the numbers are new
    m_content = std::move(content);
    if (resized && m_options.zoom.factor > 1.0)
        resetZoom(); // the cells of another text are elsewhere
    if (m_hovered && !m_content.matrix.contains(*m_hovered))
        m_hovered.reset();
    if (m_content.sink.empty())
        m_hoveredSink.reset();
    invalidate(true);
    if (moved)
        keepInSight(*m_content.current);
    announceCurrent(*this);
}

void HeatmapWidget::setOptions(HeatmapOptions options)
{
    m_options = options;
    invalidate(true);
    updateGeometry();
}

void HeatmapWidget::setCurrentCell(std::optional<HeatmapCell> cell)
{
    if (m_content.current == cell && !m_content.sinkRow)
        return;
    m_content.current = cell;
    setSinkRow(std::nullopt);
    update();
    announceCurrent(*this);
}

QRect HeatmapWidget::focusFrame() const
{
    constexpr double kAir = 4.0;
    return layoutNow().extent().adjusted(0.0, 0.0, kAir, kAir).toAlignedRect() & rect();
}

const HeatmapLayout& HeatmapWidget::layoutNow() const
{
    if (!m_layout)
        m_layout.emplace(QRectF(rect()), m_content, m_options, Theme::of(*this),
                         devicePixelRatioF());
    return *m_layout;
}

QRectF HeatmapWidget::cellRect(HeatmapCell cell) const
{
    return layoutNow().cellRect(cell);
}

std::optional<HeatmapCell> HeatmapWidget::cellAt(QPointF position) const
{
    return layoutNow().cellAt(position);
}

QSize HeatmapWidget::sizeHint() const
{
    return {640, 640};
}

QSize HeatmapWidget::minimumSizeHint() const
{
    return {160, 140};
}

bool HeatmapWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        if (const auto sink = layoutNow().sinkAt(help->pos())) {
            QToolTip::showText(help->globalPos(), describeSink(m_content, *sink), this,
                               layoutNow().sinkRect(*sink).toAlignedRect());
            return true;
        }
        if (!cell) {
            QToolTip::hideText();
            return true;
        }
        QToolTip::showText(help->globalPos(), describeCell(m_content, *cell), this,
                           cellRect(*cell).toAlignedRect());
        return true;
    }
    return QWidget::event(event);
}

void HeatmapWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::ApplicationFontChange)
        invalidate(true);
    QWidget::changeEvent(event);
}

void HeatmapWidget::paintEvent(QPaintEvent*)
{
    QElapsedTimer timer;
    timer.start();
    const Theme theme = Theme::of(*this);
    if (m_layout && m_layout->pixelRatio() != devicePixelRatioF())
        invalidate(true);
    const HeatmapLayout& layout = layoutNow();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintMap(painter, layout, theme);
    paintFocusFrame(painter, *this, focusFrame());
    painter.end();
    emit painted(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

void HeatmapWidget::paintMap(QPainter& painter, const HeatmapLayout& layout, const Theme& theme)
{
    if (HeatmapTiles::areNeeded(layout)) {
        m_image = QImage();
        const auto paintCells = [&](QPainter& to) { m_tiles.paint(to, layout, m_content, theme); };
        paintHeatmap(painter, layout, paintCells, m_content, m_options, theme);
        return;
    }
    m_tiles.clear();
    if (m_image.isNull() || m_image.size() != layout.imageSize())
        m_image = heatmapImage(m_content, theme, layout.imageSize());
    paintHeatmap(painter, layout, m_image, m_content, m_options, theme);
}

std::size_t HeatmapWidget::imageByteCount() const
{
    return static_cast<std::size_t>(m_image.sizeInBytes()) + m_tiles.byteCount();
}

void HeatmapWidget::resizeEvent(QResizeEvent*)
{
    invalidate(false);
}

void HeatmapWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (const auto by = m_grip.follow(*event)) {
        if (m_grip.isDragging()) {
            setCursor(Qt::ClosedHandCursor);
            panBy(*by);
        }
        return;
    }
    hover(event->position());
}

void HeatmapWidget::hover(QPointF position)
{
    const auto cell = cellAt(position);
    const auto sink = layoutNow().sinkAt(position);
    if (cell != m_hovered) {
        m_hovered = cell;
        emit cellHovered(cell);
    }
    if (sink != m_hoveredSink) {
        m_hoveredSink = sink;
        emit sinkPointed(sink ? sink : m_content.sinkRow);
    }
}

void HeatmapWidget::mousePressEvent(QMouseEvent* event)
{
    const auto cell = cellAt(event->position());
    const auto sink = layoutNow().sinkAt(event->position());
    if (sink && event->button() == Qt::LeftButton)
        setSinkRow(sink);
    else if (cell && event->button() == Qt::LeftButton && zoomFactor() > 1.0)
        m_grip.take(event->position()); // click or start of a drag, decided on release
    else if (cell && event->button() == Qt::LeftButton)
        click(*cell);
    else
        QWidget::mousePressEvent(event);
}

void HeatmapWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const auto cell = cellAt(event->position());
    const bool clicked = m_grip.release();
    unsetCursor();
    if (clicked && cell && event->button() == Qt::LeftButton)
        click(*cell);
    else
        QWidget::mouseReleaseEvent(event);
}

void HeatmapWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto cell = cellAt(event->position()))
        emit cellOpened(*cell);
}

void HeatmapWidget::leaveEvent(QEvent*)
{
    hover({-1.0, -1.0});
}

void HeatmapWidget::setSinkRow(std::optional<int> row)
{
    if (m_content.sinkRow == row)
        return;
    m_content.sinkRow = row;
    update();
    announceCurrent(*this);
    emit sinkPointed(row);
}

/// Moves the cursor onto the sink, or along it; true if it is there afterwards. The left arrow
/// leaves it for the last key of its row.
bool HeatmapWidget::moveAlongSink(int key)
{
    const auto row = m_content.sinkRow;
    if (!row) {
        const auto cell = m_content.current;
        const bool enters = key == Qt::Key_Right && cell && !m_content.sink.empty() &&
                            cell->column == m_content.matrix.columns - 1;
        if (enters)
            setSinkRow(cell->row);
        return enters;
    }
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        setSinkRow(std::clamp(*row + (key == Qt::Key_Down ? 1 : -1), 0, m_content.matrix.rows - 1));
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Right;
}

std::optional<HeatmapCell> HeatmapWidget::cellAfter(int key) const
{
    HeatmapCell cell = m_content.current.value_or(HeatmapCell{});
    if (m_content.sinkRow)
        cell = {*m_content.sinkRow, m_content.matrix.columns};
    else if (!m_content.current)
        return cell;
    switch (key) {
    case Qt::Key_Left:
        --cell.column;
        break;
    case Qt::Key_Right:
        ++cell.column;
        break;
    case Qt::Key_Up:
        --cell.row;
        break;
    case Qt::Key_Down:
        ++cell.row;
        break;
    case Qt::Key_Home:
        cell.column = 0;
        break;
    case Qt::Key_End:
        cell.column = m_content.matrix.columns - 1;
        break;
    default:
        return std::nullopt;
    }
    cell.row = std::clamp(cell.row, 0, m_content.matrix.rows - 1);
    cell.column = std::clamp(cell.column, 0, m_content.matrix.columns - 1);
    return cell;
}

void HeatmapWidget::keyPressEvent(QKeyEvent* event)
{
    const bool moves = event->key() >= Qt::Key_Home && event->key() <= Qt::Key_Down;
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (zoomByKey(*event))
        return;
    if (m_content.matrix.isEmpty() ||
        (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) {
        QWidget::keyPressEvent(event);
    } else if (moves && moveAlongSink(event->key())) {
        const auto [first, last] = layoutNow().visibleColumns();
        keepInSight({*m_content.sinkRow, (first + last) / 2});
    } else if (opens && m_content.current && !m_content.sinkRow) {
        emit cellOpened(*m_content.current);
    } else if (const auto cell = moves ? cellAfter(event->key()) : std::nullopt) {
        moveTo(*cell);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void HeatmapWidget::setZoomable(bool zoomable)
{
    m_zoomable = zoomable;
    if (!zoomable)
        resetZoom();
}

void HeatmapWidget::setZoom(const HeatmapZoom& zoom)
{
    const double before = m_options.zoom.factor;
    m_options.zoom = zoom;
    m_layout.reset();
    update();
    if (before != zoom.factor)
        emit zoomChanged(zoom.factor);
}

void HeatmapWidget::zoomBy(double factor, QPointF position)
{
    if (m_zoomable && !m_content.matrix.isEmpty())
        setZoom(zoomedBy(layoutNow(), factor, position));
}

bool HeatmapWidget::resetZoom()
{
    if (m_options.zoom == HeatmapZoom{})
        return false;
    m_grip.release();
    setZoom({});
    return true;
}

void HeatmapWidget::panBy(QPointF by)
{
    setZoom(movedBy(layoutNow(), by));
}

void HeatmapWidget::keepInSight(HeatmapCell cell)
{
    const QPointF by = wayIntoSight(layoutNow(), cell);
    if (zoomFactor() > 1.0 && !by.isNull())
        panBy(by);
}

void HeatmapWidget::wheelEvent(QWheelEvent* event)
{
    if (m_zoomable && (event->modifiers() & Qt::ControlModifier)) {
        zoomBy(std::pow(kZoomStep, event->angleDelta().y() / kNotch), event->position());
        event->accept();
    } else if (zoomFactor() > 1.0) {
        const QPointF by = event->angleDelta();
        panBy(event->modifiers() & Qt::ShiftModifier ? by.transposed() : by);
        event->accept();
    } else {
        QWidget::wheelEvent(event);
    }
}

bool HeatmapWidget::zoomByKey(const QKeyEvent& event)
{
    const auto modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    if (!m_zoomable || m_content.matrix.isEmpty())
        return false;
    const QPointF middle =
        m_content.current ? cellRect(*m_content.current).center() : layoutNow().viewport().center();
    if (event.key() == Qt::Key_Escape && modifiers == Qt::NoModifier)
        return resetZoom();
    if (modifiers != Qt::ControlModifier)
        return false;
    if (event.key() == Qt::Key_Plus || event.key() == Qt::Key_Equal)
        zoomBy(kZoomStep, middle);
    else if (event.key() == Qt::Key_Minus || event.key() == Qt::Key_Underscore)
        zoomBy(1.0 / kZoomStep, middle);
    else if (event.key() == Qt::Key_0)
        resetZoom();
    else
        return false;
    return true;
}

void HeatmapWidget::click(HeatmapCell cell)
{
    if (cell == m_content.current)
        emit currentClicked(cell);
    else
        moveTo(cell);
}

void HeatmapWidget::moveTo(HeatmapCell cell)
{
    setCurrentCell(cell);
    keepInSight(cell);
    emit cellActivated(cell);
}

} // namespace headscope::ui
