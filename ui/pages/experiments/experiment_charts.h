#pragma once

#include <QWidget>

class QLayout;

namespace headscope::ui {

class ExperimentShelf;
class LineChart;
class SegmentBar;

/// The losses of an experiment's variants, and one of its other measurements beside them.
class ExperimentCharts : public QWidget
{
    Q_OBJECT

public:
    explicit ExperimentCharts(const ExperimentShelf& shelf, QWidget* parent = nullptr);

    void refresh();

    void showFirstPlot() { m_shownPlot = 0; } ///< of an experiment that was just chosen

    bool showsTraining() const { return m_training; }

    void setShowsTraining(bool training) { m_training = training; } ///< seen after refresh()

    LineChart& losses() const { return *m_losses; }

    LineChart& plot() const { return *m_plot; }

private:
    QLayout* makeColumn(QWidget* control, QWidget* chart) const;
    void refreshLosses();
    void refreshPlot();

    const ExperimentShelf& m_shelf;
    bool m_training = false; ///< which loss is shown
    int m_shownPlot = 0;
    SegmentBar* m_which;
    SegmentBar* m_plots;
    LineChart* m_losses;
    LineChart* m_plot;
    QWidget* m_plotBox;
};

} // namespace headscope::ui
