#include "ui/pages/experiments/experiment_charts.h"

#include "ui/pages/experiments/experiment_shelf.h"
#include "ui/pages/experiments/experiments_content.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/controls/segments.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

ExperimentCharts::ExperimentCharts(const ExperimentShelf& shelf, QWidget* parent)
    : QWidget(parent)
    , m_shelf(shelf)
    , m_which(new SegmentBar(this))
    , m_plots(new SegmentBar(this))
    , m_losses(new LineChart(tr("Loss of the variants"), this))
    , m_plot(new LineChart(tr("Measurements of the variants"), this))
    , m_plotBox(new QWidget(this))
{
    m_which->setSegments({{tr("Validation"), tr("Loss on held-out data")},
                          {tr("Training"), tr("Loss on the training data, smoothed")}});
    m_which->setAccessibleName(tr("Which loss"));
    m_plot->setObjectName("plot");
    m_plots->setAccessibleName(tr("Which measurement"));
    m_plotBox->setLayout(makeColumn(m_plots, m_plot)); // Leaves its room to the losses when hidden.
    m_plotBox->layout()->setContentsMargins(0, 0, 0, 0);
    rowOf(24, {{makeColumn(m_which, m_losses), 1}, {m_plotBox, 1}}, this);
    connect(m_which, &SegmentBar::currentChanged, this, [this](int index) {
        m_training = index == 1;
        refresh();
    });
    connect(m_plots, &SegmentBar::currentChanged, this, [this](int index) {
        m_shownPlot = index;
        refresh();
    });
}

QLayout* ExperimentCharts::makeColumn(QWidget* control, QWidget* chart) const
{
    return columnOf(8, {{control, 0, Qt::AlignLeft}, {chart, 1}});
}

void ExperimentCharts::refresh()
{
    refreshLosses();
    refreshPlot();
}

void ExperimentCharts::refreshLosses()
{
    m_which->setCurrent(m_training ? 1 : 0);
    LineChartContent losses = variantsChart(m_shelf.experiment(), m_shelf.record(), m_training);
    if (losses.isEmpty())
        losses.note = m_shelf.isThisRunning() ? tr("no measurements yet") : tr("not trained yet");
    m_losses->setContent(std::move(losses));
}

void ExperimentCharts::refreshPlot()
{
    const QStringList titles = plotTitles(m_shelf.experiment(), m_shelf.record());
    m_plotBox->setVisible(!titles.isEmpty());
    m_plots->setVisible(titles.size() > 1); // The chart itself names a single measurement.
    if (titles.isEmpty())
        return;
    if (m_plots->property("titles").toStringList() != titles) {
        std::vector<Segment> segments;
        for (const QString& title : titles)
            segments.push_back({title, {}});
        m_plots->setSegments(segments);
        m_plots->setProperty("titles", titles);
    }
    m_shownPlot = std::min(m_shownPlot, static_cast<int>(titles.size()) - 1);
    m_plots->setCurrent(m_shownPlot);
    m_plot->setContent(plotChart(m_shelf.experiment(), *m_shelf.record().result,
                                 static_cast<std::size_t>(m_shownPlot)));
}

} // namespace headscope::ui
