#pragma once

#include "ui/pages/shared/changes/change_effect.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/pages/shared/changes/mask_brush.h"
#include "ui/pages/shared/page.h"

class QSpinBox;
class QToolButton;

namespace headscope::ui {

class BarsWidget;
class EmptyState;
class HeatmapWidget;
class InlineEditor;
class LegendMap;
class SegmentBar;
class TextLabel;
class WhatIfOffers;

/// A as trained, B with changes, and what they move: patterns on fixed scales, and the prediction.
class WhatIfPage : public Page
{
    Q_OBJECT

public:
    explicit WhatIfPage(Session& session, QWidget* parent = nullptr);

    HeatmapWidget& mapA() const;
    HeatmapWidget& mapB() const;
    HeatmapWidget& mapDifference() const;

    HeatmapWidget& where() const { return *m_where; }

    WhatIfOffers& offers() const { return *m_offers; }

    InlineEditor& editor() const { return *m_editor; }

    SegmentBar& maskChoice() const { return *m_mask; }

    SegmentBar& paintChoice() const { return *m_paint; }

    Figure figure() const override;
    void focusMain() override;

    bool isSettled() const override { return !m_meter.isMeasuring(); }

    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;

    bool wantsInspector() const override { return false; }

    bool escape() override;

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Pane
    {
        TextLabel* note = nullptr; ///< beside the letter
        LegendMap* map = nullptr;
    };

    QLayout* makeMaskRow();
    void fillOffersMenu();
    void fitHeight();
    QLayout* makeMapsRow();
    QLayout* makeBottomRow();
    QLayout* makePrediction();
    QLayout* makeWhere();
    QLayout* makePane(Pane& pane, const QString& letter, const QString& name);
    void connectWidgets();
    void connectMaps();

    void refreshControls(const Looking& looking);
    void refreshMaps(const Looking& looking);
    void refreshPane(Pane& pane, MapWithLegend shown);
    void shareCellSize();
    void refreshPrediction(const Looking& looking);
    void refreshWhere();

    void chooseMask(int index);
    void selectCell(const Pane& pane, HeatmapCell cell);
    void editWeight();
    void swapToken();
    QPoint besideCurrentCell() const;

    EffectMeter m_meter;
    SegmentBar* m_mask;
    QSpinBox* m_window;
    SegmentBar* m_paint;
    WhatIfOffers* m_offers;
    QToolButton* m_offersMenu; ///< the same behind one button, in low windows
    Pane m_a;
    Pane m_b;
    Pane m_difference;
    MaskBrush* m_brush = nullptr;
    InlineEditor* m_editor;
    EmptyState* m_hint;
    TextLabel* m_after;
    BarsWidget* m_prediction;
    TextLabel* m_whereScale;
    HeatmapWidget* m_where;
};

} // namespace headscope::ui
