#pragma once

#include "ui/pages/train/train_texts.h"

#include <QWidget>

class QMenu;
class QPushButton;

namespace headscope::ui {

class TextLabel;
class TrainReadings;

/// State of a run as the bar shows it.
struct TrainBarState
{
    TrainingPhase state = TrainingPhase::None;
    std::int64_t step = 0;
    std::int64_t steps = 0;
    std::vector<TrainReading> readings;
    QString whyReadOnly; ///< Reason why the run cannot be trained; empty where it can.
};

/// Bar with start, pause, single step, stop, and the run's progress.
class TrainBar : public QWidget
{
    Q_OBJECT

public:
    explicit TrainBar(QWidget* parent = nullptr);

    void setState(const TrainBarState& state);

    QMenu* menu() const { return m_menu; }

signals:
    void startWanted(); ///< Emitted to start or pause.
    void stepWanted();
    void stopWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshIcons();

    QPushButton* m_start;
    QPushButton* m_step;
    QPushButton* m_stop;
    QPushButton* m_more;
    QMenu* m_menu;
    TextLabel* m_title;
    TextLabel* m_of;
    TrainReadings* m_readings;
    TrainBarState m_state;
};

} // namespace headscope::ui
