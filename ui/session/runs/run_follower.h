#pragma once

#include "ui/session/runs/training_record.h"
#include "ui/workers/models/model_loader.h"
#include "ui/workers/tasks/latest_task.h"

#include <QTimer>

#include <list>
#include <memory>
#include <optional>

namespace headscope::ui {

class Session;

/// Shows the weights of a run as the document's model: the newest ones, those of a snapshot, or one
/// snapshot after the other. Ends when the user opens another model.
class RunFollower : public QObject
{
    Q_OBJECT

public:
    RunFollower(Session& session, const TrainingRecord& record);

    void begin(); ///< Follows another run live.
    void reset(); ///< Like begin(), for a run that is only read; the publisher is not informed.

    bool isFollowed() const { return m_wantsToFollow && m_followed; }

    /// True while a snapshot is being loaded.
    bool isLoading() const { return m_loading.isRunning(); }

    /// Step of the shown snapshot; none: the newest weights.
    std::optional<std::int64_t> shownStep() const { return m_shownStep; }

    void show(std::int64_t step); ///< Shows the snapshot at `step`, if there is one.
    void followLive();

    bool isPlaying() const { return m_play.isActive(); }

    void setPlaying(bool on); ///< Plays from the shown snapshot to the newest.

    /// Shows published weights; null: none were published.
    void take(const std::shared_ptr<const Model>& newest);
    /// Shows new snapshots of a run that is only read; the newest is live.
    void takeNewSnapshots();

    void forgetSnapshots() { m_kept.clear(); }

    void forget(); ///< Drops all known weights.

signals:
    void changed();
    void liveWanted(bool wanted); ///< Emitted when published weights are or are no longer needed.
    void failed(const QString& sentence); ///< Emitted when a snapshot cannot be read.

private:
    struct KeptSnapshot
    {
        std::int64_t step = 0;
        std::shared_ptr<const Model> model;
    };

    void followSession();
    void follow(const LoadedModel& model);
    void load(std::int64_t step);
    void showLoaded(std::int64_t step, std::shared_ptr<const Model> model);
    void playOn();
    void describeOptions();
    LoadedModel named(std::shared_ptr<const Model> model, std::int64_t step) const;

    Session& m_session;
    const TrainingRecord& m_record;
    std::optional<std::int64_t> m_shownStep;
    std::shared_ptr<const Model> m_live;     ///< Newest published weights.
    std::shared_ptr<const Model> m_followed; ///< Weights that the document's model was set to.
    bool m_wantsToFollow = true;             ///< True until another model is opened.
    std::list<KeptSnapshot> m_kept;          ///< Cached snapshots, newest first.
    QTimer m_play;
    LatestTask m_loading;
};

} // namespace headscope::ui
