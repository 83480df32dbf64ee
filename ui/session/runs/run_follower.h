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

/// Makes the weights of a run the document's model: the newest ones, or those of a snapshot, or one
/// snapshot after the other. Ends when the person opens another model.
class RunFollower : public QObject
{
    Q_OBJECT

public:
    RunFollower(Session& session, const TrainingRecord& record);

    void begin(); ///< another run: it is followed live
    void reset(); ///< as begin(), of a run that is only read: whoever publishes is told nothing

    bool isFollowed() const { return m_wantsToFollow && m_followed; }

    bool isLoading() const { return m_loading.isRunning(); } ///< a snapshot

    std::optional<std::int64_t> shownStep() const { return m_shownStep; } ///< none: the newest

    void show(std::int64_t step); ///< nothing where there is no such snapshot
    void followLive();

    bool isPlaying() const { return m_play.isActive(); }

    void setPlaying(bool on); ///< from the shown snapshot to the newest

    void setPlayInterval(int ms) { m_play.setInterval(ms); }

    void take(const std::shared_ptr<const Model>& newest); ///< published weights; null: none were
    void takeNewSnapshots(); ///< of a run that is only read: the newest of them is live

    void forgetSnapshots() { m_kept.clear(); }

    void forget(); ///< all weights that are known

signals:
    void changed();
    void liveWanted(bool wanted);         ///< published weights would be shown
    void failed(const QString& sentence); ///< a snapshot cannot be read

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
    void tellWishes();
    LoadedModel named(std::shared_ptr<const Model> model, std::int64_t step) const;

    Session& m_session;
    const TrainingRecord& m_record;
    std::optional<std::int64_t> m_shownStep;
    std::shared_ptr<const Model> m_live;     ///< newest weights that were published
    std::shared_ptr<const Model> m_followed; ///< what the document's model was set to
    bool m_wantsToFollow = true;             ///< until another model is opened
    std::list<KeptSnapshot> m_kept;          ///< newest first
    QTimer m_play;
    LatestTask m_loading;
};

} // namespace headscope::ui
