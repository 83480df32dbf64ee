#pragma once

#include <QPointF>

#include <optional>

class QMouseEvent;

namespace headscope::ui {

/// The hand that holds an enlarged map: a press that is let go where it was is a click, one that
/// moves drags the map.
class HeatmapGrip
{
public:
    void take(QPointF position) { m_position = position; }

    /// How far the map follows since the last time, 0 until the hand is far enough from where it
    /// took hold; none when it holds nothing.
    std::optional<QPointF> follow(const QMouseEvent& event);

    bool isDragging() const { return m_isDragging; }

    bool release(); ///< true: it was a click

private:
    std::optional<QPointF> m_position;
    bool m_isDragging = false;
};

} // namespace headscope::ui
