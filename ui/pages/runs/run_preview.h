#pragma once

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace headscope::ui {

class LineChart;
class RunDraft;
class RunEstimator;
class TextLabel;

/// Preview beside the settings of a draft: its task, estimate and schedule.
class RunPreview : public QWidget
{
    Q_OBJECT

public:
    RunPreview(const RunDraft& draft, RunEstimator& estimator, QWidget* parent = nullptr);

    void refreshTask();
    void refreshEstimate();
    void refreshSchedule();

private:
    void addTask(QVBoxLayout* column);
    void addSizes(QVBoxLayout* column);
    void refreshBaseline();

    const RunDraft& m_draft;
    RunEstimator& m_estimator;
    TextLabel* m_title;
    TextLabel* m_description;
    TextLabel* m_lookFor;
    TextLabel* m_baseline;
    QPushButton* m_measure;
    TextLabel* m_parameters;
    TextLabel* m_memory;
    TextLabel* m_time;
    TextLabel* m_timeText;
    LineChart* m_schedule;
};

} // namespace headscope::ui
