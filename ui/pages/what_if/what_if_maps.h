#pragma once

#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/shared/maps/shown_number.h"

#include <QWidget>

class QLayout;

namespace headscope::ui {

class EmptyState;
class HeatmapWidget;
class LegendMap;
class TextLabel;

/// The patterns of A, of B and of B - A side by side, with cells of one size.
class WhatIfMaps : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfMaps(Session& session, QWidget* parent = nullptr);

    HeatmapWidget& a() const;
    HeatmapWidget& b() const;

    void refreshNotes(const Looking& looking);
    void refresh(const Looking& looking);

    struct VariantCell
    {
        Variant variant;
        HeatmapCell cell;
    };

    /// The cell there; without a place the current one of the map with the keyboard, else of the
    /// difference, which stands for the run that differs.
    std::optional<VariantCell> cellAt(const Looking& looking, std::optional<QPoint> place) const;

signals:
    void numberWanted(const headscope::ui::ShownNumber& number);
    void weightWanted(); ///< of the cell of B that was opened, and is selected now

private:
    struct Pane
    {
        TextLabel* note = nullptr; ///< beside the letter
        LegendMap* map = nullptr;
    };

    HeatmapWidget& difference() const;
    QLayout* makePane(Pane& pane, const QString& letter, const QString& name);
    void connectPane(const Pane& pane);
    void setShown(Pane& pane, MapWithLegend shown);
    void shareCellSize(const Looking& looking);
    void selectCell(const Pane& pane, HeatmapCell cell);
    void openCell(const Pane& pane, HeatmapCell cell);

    Session& m_session;
    Pane m_a;
    Pane m_b;
    Pane m_difference;
    EmptyState* m_hint;
};

} // namespace headscope::ui
