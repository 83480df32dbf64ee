#pragma once

#include "ui/pages/train/train_content.h"

#include <QWidget>

namespace headscope::ui {

class LineChart;
class TimelineWidget;
class Training;

/// Two charts of a run above the timeline of its snapshots; a click in any of them shows one.
class TrainCharts : public QWidget
{
    Q_OBJECT

public:
    explicit TrainCharts(Training& training, QWidget* parent = nullptr);

    void refresh(const TrainContent& trainContent);

    TimelineWidget& timeline() { return *m_timeline; }

private:
    void connectCharts();
    void connectTimeline();
    void showNearest(double step);
    const SnapshotRecord& snapshot(int index) const;

    Training& m_training;
    LineChart* m_upper;
    LineChart* m_lower;
    TimelineWidget* m_timeline;
};

} // namespace headscope::ui
