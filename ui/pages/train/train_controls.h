#pragma once

#include "ui/pages/train/train_content.h"

#include <QWidget>

class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class SegmentBar;

/// Controls above a run's charts: curves, axes, and the button that plays the snapshots.
class TrainControls : public QWidget
{
    Q_OBJECT

public:
    /// Reads and writes `options`.
    explicit TrainControls(TrainOptions& options, QWidget* parent = nullptr);

    void refresh(const TrainContent& trainContent, bool planning);
    void setPlaying(bool playing);

signals:
    void optionsChanged();
    void playToggled(bool on);

private:
    void makeLayout();
    void connectCharts();
    void connectAxes();
    void showLower(bool hasExperts); ///< The fourth choice exists for runs with experts.
    void refreshScores(const TrainContent& trainContent, bool planning);

    TrainOptions& m_options;
    SegmentBar* m_upper;
    SegmentBar* m_lower;
    ChoiceBox* m_score;
    QPushButton* m_logSteps;
    QPushButton* m_logValues;
    QPushButton* m_play;
    bool m_hasExperts = false;
};

} // namespace headscope::ui
