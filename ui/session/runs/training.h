#pragma once

#include "ui/session/runs/run_follower.h"
#include "ui/session/runs/run_watch.h"
#include "ui/session/runs/training_record.h"
#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/file_tasks.h"
#include "ui/workers/training/training_worker.h"

#include <memory>
#include <optional>

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

    bool isOpening() const { return m_watch.isOpening(); } ///< a run, from its directory

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
    bool isFollowed() const { return m_follower.isFollowed(); } ///< the document's model is it

    std::optional<std::int64_t> shownStep() const { return m_follower.shownStep(); }

    void showMoment(std::int64_t step) { m_follower.show(step); }

    void followLive() { m_follower.followLive(); }

    bool isPlaying() const { return m_follower.isPlaying(); }

    void setPlaying(bool on) { m_follower.setPlaying(on); }

    void setPlayInterval(int ms) { m_follower.setPlayInterval(ms); }

    void pin(std::int64_t step, bool pinned);
    void compareWith(std::int64_t step); ///< makes that moment the model of B, one undo step

signals:
    void changed(); ///< state, record, shown moment
    void messageWanted(const QString& sentence, bool isError);

private:
    void begin(TrainingStart start);
    void connectWorker();
    void connectFiles();
    void take(const OpenedTraining& run);
    void accept(const TrainingSnapshotPtr& snapshot);
    void takeOpened(const TrainingRecord& record, bool isWritten);
    void takeAgain(const TrainingRecord& record, bool isWritten);
    void adoptRecord(const TrainingRecord& record, bool isWritten);
    void enter(TrainingPhase state);
    void tidyUp();

    TrainingRunner& runner() { return m_worker->runner(); }

    Session& m_session;
    RunLibrary m_library;
    TrainingPhase m_state = TrainingPhase::None;
    TrainingRecord m_record;
    QString m_saying;
    std::optional<Divergence> m_divergence;
    std::optional<RunText> m_probe; ///< until the run is there
    bool m_discards = false;        ///< the run goes to the bin when it is closed
    double m_threadMs = 0.0;        ///< processor time of this thread when the last snapshot came
    RunFollower m_follower;
    RunWatch m_watch;
    std::unique_ptr<TrainingWorker> m_worker; // the threads end before the rest does
    FileTasks m_files;
};

} // namespace headscope::ui
