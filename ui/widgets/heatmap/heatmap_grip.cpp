#include "ui/widgets/heatmap/heatmap_grip.h"

#include <QApplication>
#include <QMouseEvent>

namespace headscope::ui {

std::optional<QPointF> HeatmapGrip::follow(const QMouseEvent& event)
{
    if (!m_position || !(event.buttons() & Qt::LeftButton))
        return std::nullopt;
    const QPointF by = event.position() - *m_position;
    if (!m_isDragging && by.manhattanLength() < QApplication::startDragDistance())
        return QPointF();
    m_isDragging = true;
    m_position = event.position();
    return by;
}

bool HeatmapGrip::release()
{
    const bool isClick = m_position && !m_isDragging;
    m_position.reset();
    m_isDragging = false;
    return isClick;
}

} // namespace headscope::ui
