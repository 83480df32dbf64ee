#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/train/train_content.h"
#include "ui/pages/train/train_film.h"

class QMenu;
class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class ColourBar;
class HeadTiles;
class LineChart;
class MessageBar;
class SegmentBar;
class TextLabel;
class TimelineWidget;
class TrainBar;
class TrainPlan;
class TrainSettings;
class Training;

/// A model in training: curves, the scores of its heads, its snapshots, and what it attends to now
/// on the typed text.
class TrainPage : public Page
{
    Q_OBJECT

public:
    explicit TrainPage(Session& session, QWidget* parent = nullptr);
    ~TrainPage() override;

    /// Offers to begin a run; `task` names one of the catalogue, or is empty.
    void planRun(const QString& task = {});

    bool isPlanning() const;
    void startPlanned();
    void exportFilmTo(const QString& folder);

    TrainBar& bar() { return *m_bar; }

    TrainPlan& plan() { return *m_plan; }

    LineChart& upper() { return *m_upper; }

    LineChart& lower() { return *m_lower; }

    TimelineWidget& timeline() { return *m_timeline; }

    HeadTiles& tiles() { return *m_tiles; }

    TrainSettings& settings() { return *m_settings; }

    MessageBar& message() { return *m_message; }

    TrainFilm& film() { return m_film; }

    TrainPicture picture() const;
    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< back from a moment to what is live

signals:
    void settingsWanted(const QString& task); ///< every one, for a run of this task

protected:
    void refresh(ChangeSet changes) override;

private:
    QLayout* makeControls();
    QLayout* makeCharts();
    QWidget* makeSide();
    void connectRun();
    void followRun();
    void connectTime();
    void fillMenu(QMenu& menu);
    void refreshMenu(QMenu& menu);
    void chooseFilmFolder();
    void chooseMoment(double step);
    void refreshCharts(const TrainPicture& picture);
    void refreshControls(const TrainPicture& picture);
    void refreshSide(const TrainPicture& picture);
    void refreshMessage();
    void pressMessageButton();

    Training& m_training;
    TrainOptions m_options;
    bool m_isPlanning = false;
    std::filesystem::path m_folder; ///< of the run that is shown
    QString m_error;                ///< the newest, until it is dismissed
    QString m_dismissed;            ///< what a run said and nobody needs to read again
    int m_filmDone = 0;
    TrainFilm m_film;
    MessageBar* m_message;
    TrainBar* m_bar;
    TrainPlan* m_plan;
    SegmentBar* m_upperKind;
    SegmentBar* m_lowerKind;
    ChoiceBox* m_score;
    QPushButton* m_logSteps;
    QPushButton* m_logValues;
    QPushButton* m_play;
    LineChart* m_upper;
    LineChart* m_lower;
    TimelineWidget* m_timeline;
    TextLabel* m_attention = nullptr;
    TextLabel* m_attentionNote = nullptr;
    TextLabel* m_nothing = nullptr; ///< in place of the heads
    SegmentBar* m_part = nullptr;
    HeadTiles* m_tiles = nullptr;
    ColourBar* m_legend = nullptr;
    TextLabel* m_task = nullptr;
    TextLabel* m_taskText = nullptr;
    TextLabel* m_facts = nullptr;
    TrainSettings* m_settings = nullptr;
};

} // namespace headscope::ui
