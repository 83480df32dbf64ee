#include "ui/pages/train/train_charts.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/charts/lines/timeline_widget.h"

namespace headscope::ui {

TrainCharts::TrainCharts(Training& training, QWidget* parent)
    : QWidget(parent)
    , m_training(training)
    , m_upper(new LineChart(tr("Loss and accuracy"), this))
    , m_lower(new LineChart(tr("Scores, gradients and learning rate"), this))
    , m_timeline(new TimelineWidget(this))
{
    m_upper->setObjectName("upperChart");
    m_lower->setObjectName("lowerChart");
    columnOf(4, {{m_upper, 1}, {m_lower, 1}, m_timeline}, this);
    connectCharts();
    connectTimeline();
}

void TrainCharts::connectCharts()
{
    connect(m_upper, &LineChart::cursorMoved, m_lower, &LineChart::setCursorAt);
    connect(m_lower, &LineChart::cursorMoved, m_upper, &LineChart::setCursorAt);
    connect(m_upper, &LineChart::stepChosen, this, &TrainCharts::showNearest);
    connect(m_lower, &LineChart::stepChosen, this, &TrainCharts::showNearest);
}

void TrainCharts::connectTimeline()
{
    connect(m_timeline, &TimelineWidget::snapshotChosen, this, [this](int index) {
        m_training.setPlaying(false);
        m_training.showSnapshot(snapshot(index).step);
    });
    connect(m_timeline, &TimelineWidget::liveWanted, &m_training, &Training::followLive);
    connect(m_timeline, &TimelineWidget::playToggled, this,
            [this] { m_training.setPlaying(!m_training.isPlaying()); });
    connect(m_timeline, &TimelineWidget::pinToggled, this, [this](int index) {
        const SnapshotRecord pinned = snapshot(index);
        m_training.pin(pinned.step, !pinned.isPinned);
    });
}

const SnapshotRecord& TrainCharts::snapshot(int index) const
{
    return m_training.record().snapshots[static_cast<std::size_t>(index)];
}

void TrainCharts::showNearest(double step)
{
    const int nearest = nearestSnapshot(m_timeline->content(), step);
    if (nearest >= 0)
        m_training.showSnapshot(snapshot(nearest).step);
}

void TrainCharts::refresh(const TrainContent& trainContent)
{
    m_upper->setVisible(!trainContent.record.isSeries()); // no log, no loss
    m_upper->setContent(upperChart(trainContent));
    m_lower->setContent(lowerChart(trainContent));
    m_timeline->setContent(timelineOf(trainContent));
}

} // namespace headscope::ui
