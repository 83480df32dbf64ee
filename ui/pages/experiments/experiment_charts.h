#pragma once

#include <QWidget>

class QLayout;

namespace headscope::ui {

class ExperimentShelf;
class LineChart;
class SegmentBar;

/// Loss curves of an experiment's variants, with one of its other measurements beside them.
class ExperimentCharts : public QWidget
{
    Q_OBJECT

public:
    explicit ExperimentCharts(const ExperimentShelf& shelf, QWidget* parent = nullptr);

    void refresh();

    void showFirstPlot() { m_shownPlot = 0; } ///< Resets the plot for a newly selected experiment.

    bool showsTraining() const { return m_training; }

    void setShowsTraining(bool training) { m_training = training; } ///< Takes effect on refresh().

private:
    QLayout* makeColumn(QWidget* control, QWidget* chart) const;
    void refreshLosses();
    void refreshPlot();

    const ExperimentShelf& m_shelf;
    bool m_training = false; ///< Whether the training loss is shown.
    int m_shownPlot = 0;
    SegmentBar* m_which;
    SegmentBar* m_plots;
    LineChart* m_losses;
    LineChart* m_plot;
    QWidget* m_plotBox;
};

} // namespace headscope::ui
