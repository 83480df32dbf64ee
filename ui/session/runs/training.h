#pragma once

#include "ui/session/runs/run_follower.h"
#include "ui/session/runs/run_watch.h"
#include "ui/session/runs/training_record.h"
#include "ui/workers/forward/forward_job.h"
#include "ui/workers/tasks/file_tasks.h"
#include "ui/workers/training/series_meter.h"
#include "ui/workers/training/training_worker.h"

#include <memory>
#include <optional>

namespace headscope::ui {

class Session;

/// Failure of a run.
struct Divergence
{
    std::int64_t step = 0;
    QString sentence;
    std::optional<std::int64_t> lastGood; ///< Last snapshot before the failure.
};

/// Training run of a document, as Session is its text and changes: the only writer of its record.
/// While the run is followed, its weights (the newest or those of a snapshot) are the document's
/// model. Lives on the GUI thread; never waits for training.
class Training : public QObject
{
    Q_OBJECT

public:
    Training(Session& session, BackendRegistry registry);
    ~Training() override; ///< Saves the run and waits.

    /// New runs, in the user's data folder.
    const RunLibrary& library() const { return m_library; }

    TrainingPhase state() const { return m_state; }

    const TrainingRecord& record() const { return m_record; }

    bool hasRun() const { return !m_record.isEmpty(); }

    bool isOpen() const; ///< True when a worker holds the run, which can then be resumed directly.

    /// True while a run is read from its directory.
    bool isOpening() const { return m_watch.isOpening(); }

    /// True for checkpoints of another program, which are only read.
    bool isSeries() const { return m_record.isSeries(); }

    /// Why the run cannot be trained, forked or pinned, as one sentence; empty where it can.
    QString whyReadOnly() const;

    bool hasUnsavedSteps() const; ///< True when closing now would lose steps that are not saved.

    /// Progress message while the run prepares.
    const QString& saying() const { return m_saying; }

    const std::optional<Divergence>& divergence() const { return m_divergence; }

    // Control of the run.
    /// Starts a run in a new folder. `probe` becomes the document's text when the run is ready.
    void start(const TrainingConfig& config, const QString& name, const RunText& probe);
    void startOrPause(); ///< Starts or pauses; reopens a run that was stopped.
    void step();
    void stop();
    void save();
    void reset(std::uint64_t seed); ///< Starts a new run of the same configuration.
    void fork(std::int64_t mark);   ///< Forks a new run from a snapshot.
    void change(const LiveSettings& settings);
    void setSteps(std::int64_t steps);
    void discard(); ///< Stops without saving and moves the run to the library's trash.
    void cancelPreparation();

    /// Shows a run without training it. It is re-read while another process writes it. Or shows a
    /// series of checkpoints of another program, and measures its heads in the background. Shows
    /// the weights at `snapshot` where they are of the run, the newest otherwise.
    void openRun(const std::filesystem::path& folder, const std::filesystem::path& snapshot = {});

    const SeriesMeter& meter() const { return m_meter; }

    void measureHeads(); ///< Measures the heads of a series again; known ones are read.
    void cancelMeasuring();

    // Timeline.
    /// True when the document's model is that of the run.
    bool isFollowed() const { return m_follower.isFollowed(); }

    std::optional<std::int64_t> shownStep() const { return m_follower.shownStep(); }

    void showSnapshot(std::int64_t step) { m_follower.show(step); }

    void followLive() { m_follower.followLive(); }

    bool isPlaying() const { return m_follower.isPlaying(); }

    void setPlaying(bool on) { m_follower.setPlaying(on); }

    void pin(std::int64_t step, bool pinned);
    void compareWith(std::int64_t step); ///< Uses a snapshot as the model of B, as one undo step.

signals:
    void changed(); ///< Emitted when state, record or shown snapshot have changed.
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
    void connectMeter();
    void tellSkipped();
    bool refusesTraining();

    TrainingRunner& runner() { return m_worker->runner(); }

    Session& m_session;
    RunLibrary m_library;
    TrainingPhase m_state = TrainingPhase::None;
    TrainingRecord m_record;
    QString m_saying;
    std::optional<Divergence> m_divergence;
    std::optional<RunText> m_probe;         ///< Text to show when the run is ready.
    std::filesystem::path m_wantedSnapshot; ///< Of the run that is read; empty: the newest.
    bool m_discards = false;                ///< True when the run moves to the trash on closing.
    double m_threadMs = 0.0;                ///< Processor time of this thread at the last snapshot.
    RunFollower m_follower;
    RunWatch m_watch;
    SeriesMeter m_meter;
    std::unique_ptr<TrainingWorker> m_worker; // Declared last, so that its threads end first.
    FileTasks m_files;
};

} // namespace headscope::ui
