#pragma once

#include "ui/session/view_snapshot.h"
#include "ui/widgets/heatmap/lens_grid.h"

#include <QScrollArea>

#include <optional>

class QHBoxLayout;

namespace headscope::ui {

/// Predictions of every layer of A and of B, side by side. A cell of A is patched into B with the
/// mouse, or with Enter in both grids.
class ComparedGrids : public QScrollArea
{
    Q_OBJECT

public:
    struct VariantCell
    {
        Variant variant;
        HeatmapCell cell;
    };

    explicit ComparedGrids(QWidget* parent = nullptr);

    LensGrid& a() const { return *m_a; }

    void setContents(LensContent a, LensContent b); ///< Keeps the current and the carried cell.

    /// Cell at a position; without one, the current cell of B's grid when it has the focus,
    /// otherwise of A's.
    std::optional<VariantCell> cellAt(std::optional<QPoint> place) const;

    bool putDown(); ///< Returns false when no cell was carried.

signals:
    void carriedChanged();
    void dropped(headscope::ui::HeatmapCell from, headscope::ui::HeatmapCell to);

private:
    void add(QHBoxLayout* row, LensGrid* grid, const QString& letter, const QString& note);
    void connectGrids();
    void pick(HeatmapCell cell);
    void drop(HeatmapCell cell);

    LensGrid* m_a;
    LensGrid* m_b;
    std::optional<HeatmapCell> m_carried; ///< Carried cell of A's grid.
};

} // namespace headscope::ui
