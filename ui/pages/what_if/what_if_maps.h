#pragma once

#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/shared/maps/shown_number.h"

#include <QWidget>

class QLayout;
class QStackedWidget;

namespace headscope::ui {

class ChangeOffers;
class EmptyState;
class HeatmapWidget;
class LegendMap;
class TextLabel;

/// Patterns of A, of B and of B−A side by side, with cells of one size. Without changes, the changes
/// that are possible replace B−A.
class WhatIfMaps : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfMaps(Session& session, QWidget* parent = nullptr);

    HeatmapWidget& b() const;

    ChangeOffers& offers() const { return *m_offers; }

    void refreshNotes(const ViewSnapshot& view);
    void refresh(const ViewSnapshot& view);

    struct VariantCell
    {
        Variant variant;
        HeatmapCell cell;
    };

    /// Cell at a position; without one, the current cell of the map with the focus, otherwise of
    /// the difference, which refers to B.
    std::optional<VariantCell> cellAt(const ViewSnapshot& view, std::optional<QPoint> place) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void numberWanted(const headscope::ui::ShownNumber& number);
    void weightWanted(); ///< Emitted for the selected cell of B that was opened.

private:
    struct Pane
    {
        TextLabel* note = nullptr; ///< Note beside the letter.
        LegendMap* map = nullptr;
    };

    HeatmapWidget& difference() const;
    QLayout* makePane(Pane& pane, const QString& letter, const QString& name);
    void connectPane(const Pane& pane);
    QWidget* makeDifference();
    void refreshThird(const ViewSnapshot& view);
    void setShown(Pane& pane, MapWithLegend shown);
    void shareCellSize();
    void selectCell(const Pane& pane, HeatmapCell cell);
    void openCell(const Pane& pane, HeatmapCell cell);

    Session& m_session;
    Pane m_a;
    Pane m_b;
    Pane m_difference;
    ChangeOffers* m_offers;
    QStackedWidget* m_third; ///< Difference, or what could be changed.
    EmptyState* m_hint = nullptr;
    bool m_sameRows = true; ///< Rows of A and B are the same tokens.
};

} // namespace headscope::ui
