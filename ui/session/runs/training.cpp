#include "ui/session/runs/training.h"

#include "ui/session/session.h"
#include "ui/widgets/text/message_text.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/training/run_reader.h"

#include <QStandardPaths>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace headscope::ui {

namespace {

/// Cost limit per snapshot in ms, so that typing and dragging do not stop the curves.
constexpr double kMostCostMs = 40.0;

/// Processor time of the calling thread so far.
double threadTimeMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::filesystem::path ownLibrary()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return std::filesystem::path(data.toStdString()) / "runs";
}

/// Latest snapshot before the loss exceeded twice that of a uniform prediction.
std::optional<std::int64_t> lastCalmSnapshot(const TrainingRecord& record)
{
    const double most = 2.0 * std::log(std::max(2.0, double(record.model.vocabularySize)));
    double calm = 0.0;
    for (const QPointF& point : record.loss)
        calm = point.y() < most ? point.x() : calm;
    std::optional<std::int64_t> found;
    for (const SnapshotRecord& mark : record.snapshots)
        if (double(mark.step) <= calm)
            found = mark.step;
    return found;
}

} // namespace

Training::Training(Session& session, BackendRegistry registry)
    : m_session(session)
    , m_library(ownLibrary())
    , m_follower(session, m_record)
    , m_watch(m_files)
    , m_meter(registry)
    , m_worker(std::make_unique<TrainingWorker>(std::move(registry)))
{
    connect(&m_follower, &RunFollower::changed, this, &Training::changed);
    connect(&m_follower, &RunFollower::liveWanted, this,
            [this](bool wanted) { runner().wantModels(wanted); });
    connectWorker();
    connectFiles();
    connectMeter();
}

Training::~Training()
{
    m_worker.reset();
    tidyUp();
}

void Training::connectWorker()
{
    connect(m_worker.get(), &TrainingWorker::stateChanged, this, &Training::enter);
    connect(m_worker.get(), &TrainingWorker::reported, this, [this](const QString& sentence) {
        m_saying = sentence;
        emit changed();
    });
    connect(m_worker.get(), &TrainingWorker::opened, this, [this](const OpenedTraining& run) {
        take(run);
        const auto probe = std::exchange(m_probe, std::nullopt);
        if (probe && !probe->text.empty()) {
            m_session.document().replaceText(QString::fromStdString(probe->text));
            m_session.document().setTarget(QString::fromStdString(probe->target));
        }
    });
    connect(m_worker.get(), &TrainingWorker::published, this, &Training::accept);
    connect(m_worker.get(), &TrainingWorker::failed, this,
            [this](const QString& sentence) { emit messageWanted(sentence, true); });
    connect(m_worker.get(), &TrainingWorker::diverged, this,
            [this](qint64 step, const QString& sentence, std::optional<qint64> lastGood) {
                m_divergence = Divergence{step, sentence, lastGood};
                emit changed();
            });
}

void Training::connectFiles()
{
    connect(&m_watch, &RunWatch::opened, this, &Training::takeOpened);
    connect(&m_watch, &RunWatch::wasRead, this, &Training::takeAgain);
    connect(&m_watch, &RunWatch::due, this, [this] {
        if (!isOpen() && !m_follower.isLoading())
            m_watch.read(m_record);
    });
    connect(&m_follower, &RunFollower::failed, this,
            [this](const QString& sentence) { emit messageWanted(sentence, true); });
    connect(&m_files, &FileTasks::failed, this, [this](const QString& sentence) {
        m_watch.stopOpening();
        emit messageWanted(sentence, true);
    });
}

void Training::connectMeter()
{
    connect(&m_meter, &SeriesMeter::measured, this, [this](const HeadScorePoint& point) {
        m_record.heads.add(point);
        m_record.jumps = findJumps(m_record.heads);
        emit changed();
    });
    connect(&m_meter, &SeriesMeter::finished, this, &Training::changed);
    connect(&m_meter, &SeriesMeter::failed, this,
            [this](const QString& sentence) { emit messageWanted(sentence, true); });
}

/// Takes over an opened run. The same data have the same tokenizer: reusing it keeps the document's
/// selection.
void Training::take(const OpenedTraining& run)
{
    const std::shared_ptr<const Tokenizer> known = m_record.tokenizer;
    const bool isKnown = known && hasRun() && m_record.config.data == run.config.data &&
                         m_record.model.vocabularySize == run.model.vocabularySize;
    m_record.take(run);
    if (isKnown)
        m_record.tokenizer = known;
    m_follower.forgetSnapshots();
}

bool Training::isOpen() const
{
    return m_state != TrainingPhase::None && m_state != TrainingPhase::Stopped;
}

QString Training::whyReadOnly() const
{
    return isSeries() ? whyReadOnlySeries() : QString();
}

/// Says why, for a series.
bool Training::refusesTraining()
{
    if (isSeries())
        emit messageWanted(whyReadOnly(), false);
    return isSeries();
}

bool Training::hasUnsavedSteps() const
{
    if (!isOpen() || m_state == TrainingPhase::Diverged)
        return false;
    const bool isSaved = std::any_of(
        m_record.snapshots.begin(), m_record.snapshots.end(),
        [this](const SnapshotRecord& mark) { return mark.isExact && mark.step >= m_record.step; });
    return m_state == TrainingPhase::Preparing || m_state == TrainingPhase::Running || !isSaved;
}

void Training::begin(TrainingStart start)
{
    m_meter.cancel();
    m_watch.setRepeated(false);
    m_divergence.reset();
    m_saying.clear();
    m_follower.begin();
    start.device = m_session.computation().device().toStdString();
    runner().begin(std::move(start));
}

void Training::start(const TrainingConfig& config, const QString& name, const RunText& probe)
{
    TrainingStart start;
    start.config = config;
    start.folder = m_library.freshPath(name.toStdString());
    m_probe = probe;
    begin(std::move(start));
}

void Training::startOrPause()
{
    if (refusesTraining())
        return;
    if (m_state == TrainingPhase::Running)
        return runner().pause();
    if (m_state != TrainingPhase::Stopped)
        return runner().run();
    TrainingStart start;
    start.kind = TrainingStart::Kind::Resume;
    start.folder = m_record.folder;
    begin(std::move(start));
}

void Training::step()
{
    if (refusesTraining())
        return;
    if (m_state != TrainingPhase::Stopped)
        return runner().step();
    TrainingStart start;
    start.kind = TrainingStart::Kind::Resume;
    start.folder = m_record.folder;
    start.runsAtOnce = false;
    begin(std::move(start));
    runner().step();
}

void Training::stop()
{
    runner().stop();
}

void Training::save()
{
    runner().save();
}

void Training::reset(std::uint64_t seed)
{
    if (refusesTraining())
        return;
    TrainingStart start;
    start.config = m_record.config;
    start.config.seed = seed;
    start.folder = m_library.freshPath(m_record.folder.filename().string());
    begin(std::move(start));
}

void Training::fork(std::int64_t mark)
{
    if (refusesTraining())
        return;
    TrainingStart start;
    start.kind = TrainingStart::Kind::Fork;
    start.from = m_record.folder;
    start.step = mark;
    start.folder = m_library.freshPath(m_record.folder.filename().string());
    start.runsAtOnce = false;
    begin(std::move(start));
}

void Training::change(const LiveSettings& settings)
{
    runner().change(settings);
}

void Training::setSteps(std::int64_t steps)
{
    runner().setSteps(steps);
}

void Training::cancelPreparation()
{
    runner().cancelPreparation();
}

void Training::discard()
{
    m_discards = true;
    runner().stop(false);
}

/// Removes the folder of a closed, discarded run.
void Training::tidyUp()
{
    if (!std::exchange(m_discards, false) || m_record.isEmpty())
        return;
    try {
        m_library.remove(m_record.folder);
    } catch (const std::exception& error) {
        emit messageWanted(errorSentence(error), true);
        return;
    }
    m_record = {};
    m_state = TrainingPhase::None;
}

void Training::enter(TrainingPhase state)
{
    m_state = state;
    if (state != TrainingPhase::Preparing)
        m_saying.clear();
    if (state == TrainingPhase::None && hasRun())
        m_state = TrainingPhase::Stopped; // no other run could be started
    if (state == TrainingPhase::Stopped)
        tidyUp();
    emit changed();
}

void Training::accept(const TrainingSnapshotPtr& snapshot)
{
    if (snapshot->folder != m_record.folder)
        return runner().taken(0.0); // snapshot of a previous run
    m_record.take(*snapshot);
    m_follower.take(snapshot->model);
    emit changed();
    const double now = threadTimeMs();
    const double window = std::min(now - std::exchange(m_threadMs, now), kMostCostMs);
    runner().taken(window + (isFollowed() ? m_session.computation().result().elapsedMs : 0.0));
}

void Training::pin(std::int64_t step, bool pinned)
{
    if (refusesTraining())
        return;
    if (isOpen())
        return runner().pin(step, pinned);
    m_files.run([this, step, pinned, folder = m_record.folder]() -> FileTasks::Answer {
        Timeline timeline(folder);
        timeline.setPinned(step, pinned);
        return [this, folder, snapshots = timeline.snapshots()] {
            if (folder != m_record.folder)
                return;
            m_record.snapshots = snapshots;
            emit changed();
        };
    });
}

void Training::compareWith(std::int64_t step)
{
    Changes changes = m_session.changes();
    changes.model = QString::fromStdString(m_record.snapshotPath(step).string());
    m_session.document().setChanges(changes, tr("B: weights at step %1").arg(step));
}

void Training::openRun(const std::filesystem::path& folder, const std::filesystem::path& snapshot)
{
    m_wantedSnapshot = snapshot;
    runner().stop();
    m_meter.cancel();
    m_follower.reset();
    m_divergence.reset();
    m_watch.open(folder);
}

void Training::measureHeads()
{
    if (!isSeries() || m_meter.isMeasuring())
        return;
    m_meter.measure(m_record.series, m_record.tokenizer,
                    m_session.computation().device().toStdString());
    emit changed();
}

void Training::cancelMeasuring()
{
    m_meter.cancel();
}

/// Names the checkpoints of a series that are left out.
void Training::tellSkipped()
{
    if (!isSeries() || m_record.series->skipped().empty())
        return;
    const auto& skipped = m_record.series->skipped();
    const SkippedCheckpoint& first = skipped.front();
    const QString sentence = errorSentence(first.error);
    emit messageWanted(skipped.size() == 1
                           ? tr("Step %1 is left out: %2").arg(first.step).arg(sentence)
                           : tr("%1 checkpoints are left out. Step %2: %3")
                                 .arg(skipped.size())
                                 .arg(first.step)
                                 .arg(sentence),
                       false);
}

void Training::takeOpened(const TrainingRecord& record, bool isWritten)
{
    m_follower.forget();
    adoptRecord(record, isWritten);
    const auto step = record.snapshotAt(std::exchange(m_wantedSnapshot, {}));
    if (step && *step != record.snapshots.back().step)
        m_follower.show(*step);
    else
        m_follower.followLive();
    tellSkipped();
    measureHeads();
}

void Training::takeAgain(const TrainingRecord& record, bool isWritten)
{
    if (isOpen() || record.folder != m_record.folder)
        return;
    const bool isNewer = record.snapshots != m_record.snapshots;
    adoptRecord(record, isWritten);
    if (isNewer)
        m_follower.takeNewSnapshots();
}

void Training::adoptRecord(const TrainingRecord& record, bool isWritten)
{
    m_record = record;
    m_state = TrainingPhase::Stopped;
    for (const RunEvent& event : record.events) {
        if (event.kind == RunEvent::Kind::Diverged)
            m_divergence = Divergence{event.step, messageText(event.text), {}};
    }
    if (m_divergence)
        m_divergence->lastGood = lastCalmSnapshot(record);
    m_watch.setRepeated(isWritten);
    emit changed();
}

} // namespace headscope::ui
