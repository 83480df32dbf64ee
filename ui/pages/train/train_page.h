#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/pages/train/train_content.h"
#include "ui/pages/train/train_film.h"

#include <filesystem>
#include <memory>

namespace headscope::ui {

class MessageBar;
class SegmentBar;
class TrainBar;
class TrainCharts;
class TrainControls;
class TrainExperts;
class TrainFacts;
class TrainHeads;
class TrainMenu;
class TrainMessages;
class TrainPlan;
class Training;

/// A model in training: curves, head scores, snapshots, and its current attention on the typed
/// text.
class TrainPage : public Page
{
    Q_OBJECT

public:
    explicit TrainPage(Session& session);
    ~TrainPage() override;

    static PageDescriptor descriptor();

    /// Offers to start a run; `task` is a name of the catalogue, or empty.
    void planRun(const QString& task = {});

    bool isPlanning() const;
    void startPlanned();
    void exportFilmTo(const QString& folder);

    TrainContent trainContent() const;
    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;

    bool wantsInspector() const override { return false; }

    /// True unless a run is being opened or the heads of a series are being measured.
    bool isSettled() const override;

    bool escape() override; ///< Returns from a snapshot to the newest weights.

signals:
    void planningChanged(); ///< Emitted when isPlanning() has changed.
    /// Emitted to show all settings for a run of this task.
    void settingsWanted(const QString& task);

protected:
    void refresh(ChangeSet changes) override;

private:
    void makeLayout();
    void connectRun();
    void connectPlan();
    void connectFilm();
    void connectParts();
    void followRun();
    void noticeInduction();
    void refreshBar(const TrainContent& trainContent);
    void refreshSide(const TrainContent& trainContent);
    void chooseFilmFolder();

    Training& m_training;
    TrainOptions m_options;
    bool m_isPlanning = false;
    bool m_wasPlanning = false;     ///< Value of isPlanning() at the last refresh.
    bool m_hadInduction = false;    ///< Whether the shown run has reached the induction level.
    std::filesystem::path m_folder; ///< Folder of the shown run.
    TrainFilm m_film;
    MessageBar* m_message;
    TrainBar* m_bar;
    TrainPlan* m_plan;
    TrainControls* m_controls;
    TrainCharts* m_charts;
    SegmentBar* m_side; ///< Chooses attention or experts; visible for models with experts.
    TrainHeads* m_heads;
    TrainExperts* m_experts;
    TrainFacts* m_facts;
    std::unique_ptr<TrainMenu> m_menu;
    std::unique_ptr<TrainMessages> m_messages;
};

} // namespace headscope::ui
