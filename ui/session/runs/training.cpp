#include "ui/session/runs/training.h"

#include "ui/session/session.h"
#include "ui/workers/error_sentence.h"

#include <QStandardPaths>

#include <algorithm>
#include <ctime>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kPlayMs = 250;
constexpr int kReadAgainMs = 1000;
constexpr double kMostCostMs = 40.0; ///< a hand that types or drags must not stop the curves

/// Processor time that the calling thread has taken so far.
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

} // namespace

Training::Training(Session& session, BackendRegistry registry, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_library(ownLibrary())
    , m_worker(std::make_unique<TrainingWorker>(std::move(registry)))
{
    m_play.setInterval(kPlayMs);
    m_readAgain.setInterval(kReadAgainMs);
    connect(&m_play, &QTimer::timeout, this, &Training::playOn);
    connect(&m_readAgain, &QTimer::timeout, this, &Training::readAgain);
    connect(&session, &Session::modelChanged, this, [this] {
        if (m_followed && m_session.model().model != m_followed) {
            m_wantsToFollow = false; // the person opened another model
            m_play.stop();
            updateWishes();
            emit changed();
        }
    });
    connectWorker();
}

Training::~Training()
{
    m_worker.reset();
    tidyUp();
}

void Training::connectWorker()
{
    connect(m_worker.get(), &TrainingWorker::stateChanged, this, &Training::enter);
    connect(m_worker.get(), &TrainingWorker::said, this, [this](const QString& sentence) {
        m_saying = sentence;
        emit changed();
    });
    connect(m_worker.get(), &TrainingWorker::opened, this, [this](const OpenedTraining& run) {
        take(run);
        const auto probe = std::exchange(m_probe, std::nullopt);
        if (probe && !probe->text.empty()) {
            m_session.replaceText(QString::fromStdString(probe->text));
            m_session.setTarget(QString::fromStdString(probe->target));
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

/// The same data have the same tokenizer: with the one that is known already, the document keeps
/// its selection.
void Training::take(const OpenedTraining& run)
{
    const std::shared_ptr<const Tokenizer> known = m_record.tokenizer;
    const bool isKnown = known && hasRun() && m_record.config.data == run.config.data &&
                         m_record.model.vocabularySize == run.model.vocabularySize;
    m_record.take(run);
    if (isKnown)
        m_record.tokenizer = known;
    m_kept.clear();
}

bool Training::isOpen() const
{
    return m_state != TrainingPhase::None && m_state != TrainingPhase::Stopped;
}

bool Training::hasUnsavedSteps() const
{
    if (!isOpen() || m_state == TrainingPhase::Diverged)
        return false;
    const bool isSaved =
        std::any_of(m_record.moments.begin(), m_record.moments.end(), [this](const Moment& moment) {
            return moment.isExact && moment.step >= m_record.step;
        });
    return m_state == TrainingPhase::Preparing || m_state == TrainingPhase::Running || !isSaved;
}

// --------------------------------------------------------------------------------------- the run

void Training::begin(TrainingStart start)
{
    m_readAgain.stop();
    m_isElsewhere = false;
    m_divergence.reset();
    m_saying.clear();
    m_play.stop();
    m_shownStep.reset();
    m_wantsToFollow = true;
    updateWishes();
    start.device = m_session.device().toStdString();
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
    TrainingStart start;
    start.config = m_record.config;
    start.config.seed = seed;
    start.folder = m_library.freshPath(m_record.folder.filename().string());
    begin(std::move(start));
}

void Training::fork(std::int64_t moment)
{
    TrainingStart start;
    start.kind = TrainingStart::Kind::Fork;
    start.from = m_record.folder;
    start.step = moment;
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

/// The folder of a run that is closed and not wanted.
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
        m_state = TrainingPhase::Stopped; // another one could not be begun
    if (state == TrainingPhase::Stopped)
        tidyUp();
    emit changed();
}

void Training::accept(const TrainingSnapshotPtr& snapshot)
{
    if (snapshot->folder != m_record.folder)
        return runner().taken(0.0); // of a run that was closed when another was opened
    m_record.take(*snapshot);
    if (snapshot->model)
        m_live = snapshot->model;
    if (snapshot->model && !m_shownStep)
        follow(named(m_live, m_record.step));
    emit changed();
    const double now = threadTimeMs();
    const double window = std::min(now - std::exchange(m_threadMs, now), kMostCostMs);
    runner().taken(window + (isFollowed() ? m_session.elapsedMs() : 0.0));
}

/// Runs `work` beside the GUI thread; what it returns runs here.
void Training::onFiles(std::function<std::function<void()>()> work)
{
    m_files.run([this, work = std::move(work)] {
        std::function<void()> answer;
        try {
            answer = work();
        } catch (const std::exception& error) {
            answer = [this, sentence = errorSentence(error)] {
                m_isLoading = m_isOpening = false;
                emit messageWanted(sentence, true);
            };
        }
        m_home.send(std::move(answer));
    });
}

} // namespace headscope::ui
