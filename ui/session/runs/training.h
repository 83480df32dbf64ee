#pragma once

#include "ui/session/runs/training_record.h"
#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/task_thread.h"
#include "ui/workers/training/training_worker.h"

#include <QTimer>

#include <list>

namespace headscope::ui {

class Session;

/// A run that ended badly.
struct Divergence
{
    std::int64_t step = 0;
    QString sentence;
    std::optional<std::int64_t> lastGood; ///< newest snapshot before
};

/// The run of a document, as Session is its text and changes: the only writer of what is known of
/// it. While it is followed, its weights are the document's model, the newest or those of a moment.
/// Lives on the GUI thread; nothing here waits for training.
class Training : public QObject
{
    Q_OBJECT

public:
    Training(Session& session, BackendRegistry registry, QObject* parent = nullptr);
    ~Training() override; ///< saves the run and waits

    /// Where new runs go; a folder of the person's own until it is set.
    void setLibrary(const std::filesystem::path& folder) { m_library = RunLibrary(folder); }

    const RunLibrary& library() const { return m_library; }

    TrainingPhase state() const { return m_state; }

    const TrainingRecord& record() const { return m_record; }

    bool hasRun() const { return !m_record.isEmpty(); }

    bool isOpen() const; ///< a worker holds the run: it can go on without being opened again

    bool isOpening() const { return m_isOpening; } ///< a run is being read from its directory

    bool hasUnsavedSteps() const; ///< closing now would lose something, were it not saved

    const QString& saying() const { return m_saying; } ///< while it prepares

    const std::optional<Divergence>& divergence() const { return m_divergence; }

    // The run.
    /// In a new folder. `probe` becomes the document's text when the run is there.
    void start(const TrainingConfig& config, const QString& name, const RunText& probe);
    void startOrPause(); ///< opens a run again that was stopped
    void step();
    void stop();
    void save();
    void reset(std::uint64_t seed); ///< a new run of the same configuration
    void fork(std::int64_t moment); ///< a new run that goes on from there
    void change(const LiveSettings& settings);
    void setSteps(std::int64_t steps);
    void discard(); ///< stops without saving, and moves the run to the library's bin
    void cancelPreparation();

    /// Shows a run without training it. While another process writes it, it is read again and
    /// again.
    void openRun(const std::filesystem::path& folder);

    // Time.
    bool isFollowed() const; ///< the document's model is this run's

    std::optional<std::int64_t> shownStep() const { return m_shownStep; } ///< none: the newest

    void showMoment(std::int64_t step);
    void followLive();

    bool isPlaying() const { return m_play.isActive(); }

    void setPlaying(bool on); ///< moment by moment, from the shown one to the newest

    void setPlayInterval(int ms) { m_play.setInterval(ms); }

    void pin(std::int64_t step, bool pinned);
    void compareWith(std::int64_t step); ///< makes that moment the model of B, one undo step

signals:
    void changed(); ///< state, record, shown moment
    void messageWanted(const QString& sentence, bool isError);

private:
    struct KeptMoment
    {
        std::int64_t step = 0;
        std::shared_ptr<const Model> model;
    };

    void begin(TrainingStart start);
    void connectWorker();
    void take(const OpenedTraining& run);
    void accept(const TrainingSnapshotPtr& snapshot);
    void follow(const LoadedModel& model);
    void showLoaded(std::int64_t step, const std::shared_ptr<const Model>& model);
    void loadMoment(std::int64_t step);
    void adoptRecord(const TrainingRecord& record);
    void readAgain();
    void playOn();
    void enter(TrainingPhase state);
    void updateWishes();
    void tidyUp();
    LoadedModel named(std::shared_ptr<const Model> model, std::int64_t step) const;
    void onFiles(std::function<std::function<void()>()> work);

    TrainingRunner& runner() { return m_worker->runner(); }

    Session& m_session;
    RunLibrary m_library;
    TrainingPhase m_state = TrainingPhase::None;
    TrainingRecord m_record;
    QString m_saying;
    std::optional<Divergence> m_divergence;
    std::optional<std::int64_t> m_shownStep;
    std::shared_ptr<const Model> m_live;     ///< newest weights that were published
    std::shared_ptr<const Model> m_followed; ///< what the document's model was set to
    bool m_wantsToFollow = true;             ///< until another model is opened
    std::optional<RunText> m_probe;          ///< until the run is there
    bool m_isLoading = false;                ///< a moment
    bool m_isOpening = false;
    bool m_discards = false;    ///< the run goes to the bin when it is closed
    bool m_isElsewhere = false; ///< another process writes the run
    double m_threadMs = 0.0; ///< processor time of this thread when the last snapshot came
    std::list<KeptMoment> m_kept; ///< newest first
    std::atomic<std::uint64_t> m_momentWish = 0;
    QTimer m_play;
    QTimer m_readAgain;
    ReturnPath m_home;
    std::unique_ptr<TrainingWorker> m_worker; // the threads end before the rest does
    TaskThread m_files;
};

} // namespace headscope::ui
