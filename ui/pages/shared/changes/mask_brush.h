#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/changes/changes.h"

#include <QObject>

#include <optional>

namespace headscope::ui {

class HeatmapWidget;

/// Paints the mask of B on its map: dragging blocks or allows cells, Shift reverses that, Space
/// toggles the current cell. A stroke ends with strokeEnded(); Esc discards it.
class MaskBrush : public QObject
{
    Q_OBJECT

public:
    enum class Mode { Off, Block, Allow };

    MaskBrush(HeatmapWidget& map, QObject* parent);

    void setMode(Mode mode) { m_mode = mode; }

    /// Initial mask of a stroke, and the tokens behind the map's rows and columns. An empty mask
    /// (side 0): painting is not available here.
    void setSubject(const MaskChange& mask, const ShownPattern& shown);

    bool cancel(); ///< Returns true when there was a stroke.

signals:
    void strokeEnded(const headscope::ui::MaskChange& mask);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool press(QPointF position, Qt::KeyboardModifiers modifiers);
    bool move(QPointF position);
    bool finish();
    bool toggleCurrent();
    void paint(HeatmapCell cell, bool erase);
    void paintLine(QPointF from, QPointF to);
    void show(const MaskChange& mask);

    HeatmapWidget& m_map;
    Mode m_mode = Mode::Off;
    MaskChange m_mask;
    ShownPattern m_shown;
    std::optional<MaskChange> m_stroke; ///< Stroke in progress.
    bool m_causal = true;               ///< Mask below the painting.
    bool m_erases = false;
    QPointF m_last; ///< Position of the pointer, which may be outside the map.
};

/// Mask of a trace as editable cells; side 0 where the part's mask cannot be changed in B.
MaskChange paintableMask(const ViewSnapshot& view);

} // namespace headscope::ui
