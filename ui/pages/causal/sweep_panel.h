#pragma once

#include "ui/pages/causal/sweep_content.h"

#include <QWidget>

class QLayout;

namespace headscope::ui {

class CausalMeasurement;
class HeadGridWidget;
class Session;
class ScatterWidget;
class TextLabel;

/// Results of ablating every head in turn: a map of the effects, a scatter plot against a score,
/// and a table.
class SweepPanel : public QWidget
{
    Q_OBJECT

public:
    SweepPanel(Session& session, CausalMeasurement& measurement, QWidget* parent = nullptr);

    void focusTable();
    void refresh();

signals:
    void headActivated(headscope::ui::GridCell head);
    void headOpened(); ///< Emitted for the active head.

private:
    QLayout* makeMap();
    QLayout* makeScatter();
    void connectWidgets();
    void refreshTable();

    Session& m_session;
    CausalMeasurement& m_measurement;
    SweepContent m_content;
    HeadGridWidget* m_grid;
    ColourBar* m_legend;
    ScatterWidget* m_scatter;
    TextLabel* m_correlation;
    ScoreTable* m_table;
};

} // namespace headscope::ui
