#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kStep = 1.25; // of one key press or wheel notch
constexpr double kNotch = 120.0;

/// The zoom that shows what `layout` shows, held at `position`.
HeatmapZoom heldAt(const HeatmapLayout& layout, QPointF position)
{
    const QPointF inside = position - layout.cells().topLeft();
    return {layout.zoomFactor(),
            {inside.x() / layout.cellSize().width(), inside.y() / layout.cellSize().height()},
            position - layout.viewport().topLeft()};
}

/// How far to move so that [begin, end) lies in [shownBegin, shownEnd).
double wayInto(double begin, double end, double shownBegin, double shownEnd)
{
    if (begin < shownBegin)
        return shownBegin - begin;
    return end > shownEnd ? shownEnd - end : 0.0;
}

} // namespace

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
    if (!m_zoomable || m_content.matrix.isEmpty())
        return;
    const HeatmapLayout& layout = layoutNow();
    HeatmapZoom zoom = heldAt(layout, position);
    zoom.factor = std::clamp(zoom.factor * factor, 1.0, layout.largestFactor());
    if (zoom.factor < 1.0 + 1e-6)
        zoom = {};
    setZoom(zoom);
}

bool HeatmapWidget::resetZoom()
{
    if (m_options.zoom == HeatmapZoom{})
        return false;
    m_grip.reset();
    m_dragging = false;
    setZoom({});
    return true;
}

void HeatmapWidget::panBy(QPointF by)
{
    const HeatmapLayout& layout = layoutNow();
    HeatmapZoom zoom = heldAt(layout, layout.viewport().topLeft());
    zoom.at = by;
    setZoom(zoom);
}

bool HeatmapWidget::dragTo(const QMouseEvent& event)
{
    if (!m_grip || !(event.buttons() & Qt::LeftButton))
        return false;
    const QPointF by = event.position() - *m_grip;
    if (!m_dragging && by.manhattanLength() < QApplication::startDragDistance())
        return true;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    panBy(by);
    m_grip = event.position();
    return true;
}

void HeatmapWidget::wheelEvent(QWheelEvent* event)
{
    if (m_zoomable && (event->modifiers() & Qt::ControlModifier)) {
        zoomBy(std::pow(kStep, event->angleDelta().y() / kNotch), event->position());
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
        zoomBy(kStep, middle);
    else if (event.key() == Qt::Key_Minus || event.key() == Qt::Key_Underscore)
        zoomBy(1.0 / kStep, middle);
    else if (event.key() == Qt::Key_0)
        resetZoom();
    else
        return false;
    return true;
}

void HeatmapWidget::keepInSight(HeatmapCell cell)
{
    if (zoomFactor() <= 1.0)
        return;
    const QRectF shown = layoutNow().viewport();
    const QRectF rect = cellRect(cell);
    const QPointF by(wayInto(rect.x(), rect.right(), shown.x(), shown.right()),
                     wayInto(rect.y(), rect.bottom(), shown.y(), shown.bottom()));
    if (!by.isNull())
        panBy(by);
}

} // namespace headscope::ui
