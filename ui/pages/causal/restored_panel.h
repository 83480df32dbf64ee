#pragma once

#include "ui/pages/causal/causal_choice.h"

#include <QWidget>

class QLayout;
class QPushButton;

namespace headscope::ui {

class CausalMap;
class CausalMeasurement;
class ColourBar;
class Session;
class StepBar;
class TextLabel;
struct MarkedMap;

/// Fraction that clean activations restore in a corrupted run: a map with text for the selected
/// cell, or causal tracing step by step.
class RestoredPanel : public QWidget
{
    Q_OBJECT

public:
    RestoredPanel(Session& session, CausalMeasurement& measurement, QWidget* parent = nullptr);

    void focusMap();
    void refresh();

signals:
    void headActivated(headscope::ui::GridCell head);
    void cellClickedAgain(); ///< Emitted when the selected cell is clicked again.
    /// Emitted when variant B was set to the corrupted text with this activation of A.
    void changeApplied();

private:
    QLayout* makeButtons();
    QWidget* makeSide();
    void setUpMap();
    void connectWidgets();
    void chooseCell(HeatmapCell cell);
    void applyAsChange();
    void goTo(int step);
    void showStep(const FactPath& path);
    void showPatch(const PatchGrid& grid);
    void showMap(const MarkedMap& map, const QString& title, const QString& words);
    const CausalChoice& choice() const;

    Session& m_session;
    CausalMeasurement& m_measurement;
    StepBar* m_steps;
    CausalMap* m_map;
    ColourBar* m_legend;
    TextLabel* m_title;
    TextLabel* m_words;
    QPushButton* m_apply;
    QPushButton* m_back;
    QPushButton* m_next;
};

} // namespace headscope::ui
