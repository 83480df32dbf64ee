#pragma once

#include <QPointF>

#include <optional>

class QMouseEvent;

namespace headscope::ui {

/// Distinguishes clicks on a zoomed map from drags that pan it.
class HeatmapGrip
{
public:
    void take(QPointF position) { m_position = position; }

    /// Distance to pan since the last call, 0 until the drag exceeds a threshold; none without a
    /// pressed button.
    std::optional<QPointF> follow(const QMouseEvent& event);

    bool isDragging() const { return m_isDragging; }

    bool release(); ///< Ends the press; true: it was a click.

private:
    std::optional<QPointF> m_position;
    bool m_isDragging = false;
};

} // namespace headscope::ui
