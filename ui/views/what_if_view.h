#pragma once

#include "ui/views/map_content.h"
#include "ui/views/page.h"

class QBoxLayout;
class QPushButton;
class QSpinBox;

namespace headscope::ui {

class BarsWidget;
class EmptyState;
class HeatmapWidget;
class LegendMap;
class SegmentBar;
class TextLabel;

/// A as trained, B with changes, and what they move: patterns on fixed scales, and the prediction.
class WhatIfView : public Page
{
    Q_OBJECT

public:
    explicit WhatIfView(Session& session, QWidget* parent = nullptr);

    const HeatmapWidget& mapA() const;

    const HeatmapWidget& mapB() const;

    const HeatmapWidget& mapDifference() const;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Pane
    {
        TextLabel* note = nullptr; ///< beside the letter
        LegendMap* map = nullptr;
    };

    QLayout* makeChangesRow();
    QLayout* makeMapsRow();
    QLayout* makeBottomRow();
    QLayout* makePrediction();
    QLayout* makeWhere();
    QLayout* makePane(Pane& pane, const QString& letter, const QString& name);
    void connectWidgets();

    void refreshControls();
    void refreshPane(Pane& pane, MapWithLegend shown);
    void shareCellSize();
    void refreshPrediction();
    void refreshWhere();

    SegmentBar* m_mask;
    QSpinBox* m_window;
    QPushButton* m_headOff;
    QPushButton* m_clear;
    Pane m_a;
    Pane m_b;
    Pane m_difference;
    EmptyState* m_hint;
    TextLabel* m_after;
    BarsWidget* m_prediction;
    TextLabel* m_whereScale;
    HeatmapWidget* m_where;
};

} // namespace headscope::ui
