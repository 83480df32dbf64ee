#include "ui/workers/training/training_runner.h"

#include "core/text/tokenizers/id_tokenizer.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace headscope::ui {

namespace {

constexpr double kLeastMs = 50.0;
constexpr double kShare = 50.0; ///< Publishing may take at most 1/50 of the time.
constexpr int kNiceness = 5;    ///< Niceness that lets typing and painting go first.

double milliseconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace

TrainingRunner::TrainingRunner(BackendRegistry registry, TrainingListener listener)
    : m_registry(std::move(registry))
    , m_listener(std::move(listener))
    , m_thread([this] { loop(); })
{
}

TrainingRunner::~TrainingRunner()
{
    {
        const std::lock_guard lock(m_mutex);
        m_leaving = true;
        m_preparation.request_stop();
    }
    m_changed.notify_one();
    m_thread.join();
}

// --------------------------------------------------------------------------- asked by any thread

void TrainingRunner::post(std::function<void()> command)
{
    {
        const std::lock_guard lock(m_mutex);
        m_commands.push_back(std::move(command));
    }
    m_changed.notify_one();
}

void TrainingRunner::begin(TrainingStart start)
{
    post([this, start = std::move(start)] { open(start); });
}

void TrainingRunner::run()
{
    post([this] {
        if (m_run && m_state == TrainingPhase::Paused && !m_run->isDone())
            enter(TrainingPhase::Running);
    });
}

void TrainingRunner::pause()
{
    post([this] {
        publish(true); // published first, so that the pause is reported with its step
        if (m_state == TrainingPhase::Running)
            enter(TrainingPhase::Paused);
    });
}

void TrainingRunner::step()
{
    post([this] {
        if (!m_run || m_run->isDone() || m_state == TrainingPhase::Diverged)
            return;
        if (m_state == TrainingPhase::Running)
            enter(TrainingPhase::Paused);
        advance();
        publish(true);
    });
}

void TrainingRunner::stop(bool saves)
{
    cancelPreparation();
    post([this, saves] { close(saves); });
}

void TrainingRunner::save()
{
    post([this] {
        if (m_run)
            m_run->save();
        publish(true);
    });
}

void TrainingRunner::pin(std::int64_t step, bool pinned)
{
    post([this, step, pinned] {
        if (m_run)
            m_run->pin(step, pinned);
        publish(true);
    });
}

void TrainingRunner::change(const LiveSettings& settings)
{
    post([this, settings] {
        if (m_run && settings != m_run->settings())
            m_run->change(settings);
        publish(true);
    });
}

void TrainingRunner::setSteps(std::int64_t steps)
{
    post([this, steps] {
        if (!m_run)
            return;
        m_run->setSteps(steps);
        if (m_state == TrainingPhase::Done && !m_run->isDone())
            enter(TrainingPhase::Paused);
        publish(true);
    });
}

void TrainingRunner::cancelPreparation()
{
    const std::lock_guard lock(m_mutex);
    m_preparation.request_stop();
}

void TrainingRunner::taken(double costMs)
{
    m_costMs = costMs;
    m_taken = true;
}

void TrainingRunner::wantModels(bool wanted)
{
    if (m_wantsModels.exchange(wanted) != wanted && wanted)
        post([this] { publish(true); });
}

// --------------------------------------------------------------------------------- on the thread

void TrainingRunner::loop()
{
    // applies to this thread only
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
    while (true) {
        std::function<void()> command;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] {
                return m_leaving || !m_commands.empty() || m_state == TrainingPhase::Running;
            });
            if (!m_commands.empty()) {
                command = std::move(m_commands.front());
                m_commands.pop_front();
            } else if (m_leaving) {
                break;
            }
        }
        perform(command ? command : [this] { advance(); });
    }
    perform([this] { close(true); });
}

void TrainingRunner::perform(const std::function<void()>& command)
{
    try {
        command();
    } catch (const Cancelled&) {
        enter(TrainingPhase::None);
    } catch (const std::exception& error) {
        fail(error);
    }
}

/// An open run can be resumed; one that failed to open is discarded.
void TrainingRunner::fail(const std::exception& error)
{
    enter(m_run ? TrainingPhase::Paused : TrainingPhase::None);
    m_listener.failed(errorSentence(error));
    publish(true);
}

LiveRunOptions TrainingRunner::options(const TrainingStart& start)
{
    LiveRunOptions options;
    options.folder = start.folder;
    options.device = start.device;
    options.makeBackend = [registry = m_registry, device = start.device] {
        return registry.create(device);
    };
    options.timelineBudget = start.timelineBudget;
    options.say = m_listener.reported;
    const std::lock_guard lock(m_mutex);
    if (!m_leaving)
        m_preparation = {};
    options.stop = m_preparation.get_token();
    return options;
}

void TrainingRunner::open(const TrainingStart& start)
{
    close(true);
    enter(TrainingPhase::Preparing);
    const LiveRunOptions wanted = options(start);
    if (start.kind == TrainingStart::Kind::New)
        m_run = LiveRun::create(start.config, wanted);
    else if (start.kind == TrainingStart::Kind::Resume)
        m_run = LiveRun::resume(wanted);
    else
        m_run = LiveRun::fork(start.from, start.step, wanted);
    OpenedTraining opened;
    opened.folder = m_run->folder();
    opened.config = m_run->config();
    opened.model = m_run->data().model;
    opened.tokenizer = m_run->data().tokenizer;
    if (!opened.tokenizer)
        opened.tokenizer = std::make_shared<const IdTokenizer>(
            static_cast<std::size_t>(opened.model.vocabularySize));
    opened.device = start.device;
    opened.isExactFork = m_run->isExactFork();
    opened.curves = RunCurves::read(opened.folder);
    opened.heads = m_run->headCurves();
    m_eventsSent = m_run->events().size();
    m_listener.opened(opened);
    const bool runs = start.runsAtOnce && !m_run->isDone();
    publish(true);
    enter(m_run->isDone() ? TrainingPhase::Done
                          : (runs ? TrainingPhase::Running : TrainingPhase::Paused));
}

void TrainingRunner::advance()
{
    try {
        m_next.points.push_back(m_run->step());
    } catch (const DivergedError& error) {
        enter(TrainingPhase::Diverged);
        publish(true);
        m_listener.diverged(error.step(), errorSentence(error), error.lastGood());
        return;
    }
    publish(m_run->isDone());
    if (m_run->isDone())
        enter(TrainingPhase::Done);
}

void TrainingRunner::close(bool saves)
{
    if (!m_run)
        return;
    if (saves && m_state != TrainingPhase::Diverged)
        m_run->save();
    publish(true);
    m_run.reset();
    m_next = {};
    enter(TrainingPhase::Stopped);
}

void TrainingRunner::enter(TrainingPhase state)
{
    if (std::exchange(m_state, state) != state)
        m_listener.stateChanged(state);
}

bool TrainingRunner::isDue() const
{
    const double least = std::max(kLeastMs, kShare * m_costMs);
    return m_taken && milliseconds(Clock::now() - m_published) >= least;
}

void TrainingRunner::publish(bool atOnce)
{
    if (!m_run || (!atOnce && !isDue()))
        return;
    m_taken = false;
    m_next.folder = m_run->folder();
    m_next.step = m_run->stepsDone();
    m_next.steps = m_run->steps();
    m_next.settings = m_run->settings();
    const std::vector<RunEvent>& events = m_run->events();
    m_next.events.assign(events.begin() +
                             static_cast<std::ptrdiff_t>(std::min(m_eventsSent, events.size())),
                         events.end());
    m_eventsSent = events.size();
    m_next.snapshots = m_run->timeline().snapshots();
    m_next.timelineBytes = m_run->timeline().bytes();
    if (m_wantsModels)
        m_next.model = m_run->model();
    m_listener.published(std::make_shared<const TrainingSnapshot>(std::exchange(m_next, {})));
    m_published = Clock::now();
}

} // namespace headscope::ui
