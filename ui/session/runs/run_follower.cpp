#include "ui/session/runs/run_follower.h"

#include "ui/session/session.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kPlayMs = 250;

/// Number of snapshots to keep in memory: a few of small models, one of a large model.
std::size_t mostKept(const TrainingRecord& record)
{
    constexpr std::uint64_t kBytes = 1ULL << 30;
    const std::uint64_t each =
        record.timelineBytes / std::max<std::uint64_t>(1, record.snapshots.size());
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(kBytes / std::max<std::uint64_t>(1, each), 1, 8));
}

} // namespace

RunFollower::RunFollower(Session& session, const TrainingRecord& record)
    : m_session(session)
    , m_record(record)
{
    m_play.setInterval(kPlayMs);
    connect(&m_play, &QTimer::timeout, this, &RunFollower::playOn);
    connect(&m_session, &Session::modelChanged, this, &RunFollower::followSession);
}

/// Stops following if the user opened another model.
void RunFollower::followSession()
{
    if (!m_followed || m_session.model().model == m_followed)
        return;
    m_wantsToFollow = false;
    m_play.stop();
    describeOptions();
    emit changed();
}

void RunFollower::begin()
{
    m_play.stop();
    reset();
    describeOptions();
}

void RunFollower::reset()
{
    m_shownStep.reset();
    m_wantsToFollow = true;
}

void RunFollower::forget()
{
    m_live = nullptr;
    m_kept.clear();
}

void RunFollower::take(const std::shared_ptr<const Model>& newest)
{
    if (!newest)
        return;
    m_live = newest;
    if (!m_shownStep)
        follow(named(m_live, m_record.step));
}

void RunFollower::takeNewSnapshots()
{
    m_live = nullptr;
    if (!m_shownStep && m_wantsToFollow)
        followLive();
}

/// Names the model after the newest snapshot, so that a restored document can open it again.
LoadedModel RunFollower::named(std::shared_ptr<const Model> model, std::int64_t step) const
{
    std::int64_t newest = 0;
    for (const SnapshotRecord& mark : m_record.snapshots) {
        if (mark.step <= step)
            newest = mark.step;
    }
    return {m_record.snapshotPath(newest).string(), std::move(model), m_record.tokenizer};
}

void RunFollower::follow(const LoadedModel& model)
{
    if (!m_wantsToFollow || !model.tokenizer)
        return;
    m_followed = model.model;
    m_session.followModel(model);
}

void RunFollower::show(std::int64_t step)
{
    if (m_record.snapshotOf(step) < 0)
        return;
    m_wantsToFollow = true;
    m_shownStep = step;
    describeOptions();
    const auto kept =
        std::find_if(m_kept.begin(), m_kept.end(),
                     [step](const KeptSnapshot& snapshot) { return snapshot.step == step; });
    m_loading.cancel();
    if (kept != m_kept.end())
        showLoaded(step, kept->model);
    else
        load(step);
    emit changed();
}

void RunFollower::followLive()
{
    m_play.stop();
    reset();
    m_loading.cancel();
    describeOptions();
    if (m_live)
        follow(named(m_live, m_record.step));
    else if (!m_record.snapshots.empty())
        load(m_record.snapshots.back().step);
    emit changed();
}

void RunFollower::load(std::int64_t step)
{
    m_loading.start(
        [step, source = m_record.source()](const LatestTask::Control& control) {
            return source.load(step, control.stop());
        },
        [this, step](const std::shared_ptr<const Model>& model) { showLoaded(step, model); },
        [this](const QString& sentence) { emit failed(sentence); });
}

void RunFollower::showLoaded(std::int64_t step, std::shared_ptr<const Model> model)
{
    if (!m_shownStep)
        m_live = model;
    std::erase_if(m_kept, [step](const KeptSnapshot& kept) { return kept.step == step; });
    m_kept.push_front({step, model});
    if (m_kept.size() > mostKept(m_record))
        m_kept.pop_back();
    follow({m_record.snapshotPath(step).string(), std::move(model), m_record.tokenizer});
    emit changed();
}

void RunFollower::setPlaying(bool on)
{
    if (!on || m_record.snapshots.empty()) {
        m_play.stop();
        emit changed();
        return;
    }
    if (!m_shownStep)
        show(m_record.snapshots.front().step);
    m_play.start();
    emit changed();
}

/// Waits until the previous snapshot is shown.
void RunFollower::playOn()
{
    if (isLoading() || !m_shownStep || m_session.computation().isRunning())
        return;
    const int next = m_record.snapshotOf(*m_shownStep) + 1;
    if (next >= static_cast<int>(m_record.snapshots.size()))
        return followLive();
    show(m_record.snapshots[static_cast<std::size_t>(next)].step);
}

void RunFollower::describeOptions()
{
    emit liveWanted(m_wantsToFollow && !m_shownStep);
}

} // namespace headscope::ui
