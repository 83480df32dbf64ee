#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/changes/changes.h"

#include <QObject>

#include <optional>

namespace headscope::ui {

class HeatmapWidget;

/// Paints the mask of B on its map: drag blocks or allows cells, Shift with it takes that back,
/// Space turns the current cell. A stroke ends with strokeEnded(); Esc leaves it undone.
class MaskBrush : public QObject
{
    Q_OBJECT

public:
    enum class Mode { Off, Block, Allow };

    MaskBrush(HeatmapWidget& map, QObject* parent);

    void setMode(Mode mode) { m_mode = mode; }

    Mode mode() const { return m_mode; }

    /// What a stroke begins with, and the tokens behind the map's rows and columns. An empty mask
    /// (side 0): nothing can be painted here.
    void setSubject(const MaskChange& mask, const ShownPattern& shown);

    bool cancel(); ///< true when there was a stroke

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
    void paintLine(HeatmapCell from, HeatmapCell to);
    void show(const MaskChange& mask);

    HeatmapWidget& m_map;
    Mode m_mode = Mode::Off;
    MaskChange m_mask;
    ShownPattern m_shown;
    std::optional<MaskChange> m_stroke; ///< in progress
    bool m_causal = true;               ///< what lies below the painting
    bool m_erases = false;
    HeatmapCell m_last;
};

/// The mask of a trace as cells that a hand can change; side 0 where the part's mask is not B's to
/// choose.
MaskChange paintableMask(const Looking& looking);

} // namespace headscope::ui
