// Which moment of its run a Training shows, and runs that it does not train.
#include "ui/session/session.h"
#include "ui/session/runs/training.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// The newest snapshot up to which the log says that something was being learnt: a loss below twice
/// that of an even guess.
std::optional<std::int64_t> lastCalmMoment(const TrainingRecord& record)
{
    const double most = 2.0 * std::log(std::max(2.0, double(record.model.vocabularySize)));
    double calm = 0.0;
    for (const QPointF& point : record.loss)
        calm = point.y() < most ? point.x() : calm;
    std::optional<std::int64_t> found;
    for (const Moment& moment : record.moments)
        if (double(moment.step) <= calm)
            found = moment.step;
    return found;
}

} // namespace

bool Training::isFollowed() const
{
    return m_wantsToFollow && m_followed;
}

/// Its name is the newest snapshot's, so that a remembered document opens again.
LoadedModel Training::named(std::shared_ptr<const Model> model, std::int64_t step) const
{
    std::int64_t newest = 0;
    for (const Moment& moment : m_record.moments) {
        if (moment.step <= step)
            newest = moment.step;
    }
    return {m_record.snapshotPath(newest).string(), std::move(model), m_record.tokenizer};
}

void Training::follow(const LoadedModel& model)
{
    if (!m_wantsToFollow || !model.tokenizer)
        return;
    m_followed = model.model;
    m_session.followModel(model);
}

void Training::showMoment(std::int64_t step)
{
    if (m_record.momentOf(step) < 0)
        return;
    m_wantsToFollow = true;
    m_shownStep = step;
    updateWishes();
    const auto kept = std::find_if(m_kept.begin(), m_kept.end(), [step](const KeptMoment& moment) {
        return moment.step == step;
    });
    ++m_momentWish;
    m_isLoading = false;
    if (kept != m_kept.end())
        showLoaded(step, kept->model);
    else
        loadMoment(step);
    emit changed();
}

void Training::followLive()
{
    m_play.stop();
    m_wantsToFollow = true;
    m_shownStep.reset();
    ++m_momentWish;
    m_isLoading = false;
    updateWishes();
    if (m_live)
        follow(named(m_live, m_record.step));
    else if (!m_record.moments.empty())
        loadMoment(m_record.moments.back().step);
    emit changed();
}

void Training::loadMoment(std::int64_t step)
{
    const std::uint64_t wish = ++m_momentWish;
    m_isLoading = true;
    onFiles([this, wish, step, folder = m_record.folder]() -> std::function<void()> {
        if (wish != m_momentWish)
            return [] {};
        const std::shared_ptr<const Model> model = Timeline(folder).load(step);
        return [this, wish, step, model] {
            if (wish == m_momentWish)
                showLoaded(step, model);
        };
    });
}

void Training::showLoaded(std::int64_t step, const std::shared_ptr<const Model>& model)
{
    constexpr std::size_t kMost = 8;
    m_isLoading = false;
    if (!m_shownStep)
        m_live = model;
    std::erase_if(m_kept, [step](const KeptMoment& moment) { return moment.step == step; });
    m_kept.push_front({step, model});
    if (m_kept.size() > kMost)
        m_kept.pop_back();
    follow({m_record.snapshotPath(step).string(), model, m_record.tokenizer});
    emit changed();
}

void Training::setPlaying(bool on)
{
    if (!on || m_record.moments.empty()) {
        m_play.stop();
        emit changed();
        return;
    }
    if (!m_shownStep)
        showMoment(m_record.moments.front().step);
    m_play.start();
    emit changed();
}

/// Waits for the picture of the moment before.
void Training::playOn()
{
    if (m_isLoading || !m_shownStep || m_session.isComputing())
        return;
    const int next = m_record.momentOf(*m_shownStep) + 1;
    if (next >= static_cast<int>(m_record.moments.size()))
        return followLive();
    showMoment(m_record.moments[static_cast<std::size_t>(next)].step);
}

void Training::pin(std::int64_t step, bool pinned)
{
    if (isOpen())
        return runner().pin(step, pinned);
    onFiles([this, step, pinned, folder = m_record.folder]() -> std::function<void()> {
        Timeline timeline(folder);
        timeline.setPinned(step, pinned);
        return [this, folder, moments = timeline.moments()] {
            if (folder != m_record.folder)
                return;
            m_record.moments = moments;
            emit changed();
        };
    });
}

void Training::compareWith(std::int64_t step)
{
    Changes changes = m_session.changes();
    changes.model = QString::fromStdString(m_record.snapshotPath(step).string());
    m_session.setChanges(changes, tr("B: the weights of step %1").arg(step));
}

void Training::updateWishes()
{
    runner().wantModels(m_wantsToFollow && !m_shownStep);
}

// -------------------------------------------------------------------- runs of others

void Training::openRun(const std::filesystem::path& folder)
{
    runner().stop();
    m_isOpening = true;
    m_wantsToFollow = true;
    m_shownStep.reset();
    m_divergence.reset();
    onFiles([this, folder]() -> std::function<void()> {
        const TrainingRecord record = readRecord(folder);
        const bool isRunning = RunLibrary::summary(folder).state == RunSummary::State::Running;
        return [this, record, isRunning] {
            m_isOpening = false;
            m_isElsewhere = isRunning;
            m_live = nullptr;
            m_kept.clear();
            adoptRecord(record);
            followLive();
        };
    });
}

void Training::adoptRecord(const TrainingRecord& record)
{
    m_record = record;
    m_state = TrainingPhase::Stopped;
    for (const RunEvent& event : record.events) {
        if (event.kind == RunEvent::Kind::Diverged)
            m_divergence = Divergence{event.step, QString::fromStdString(event.text), {}};
    }
    if (m_divergence)
        m_divergence->lastGood = lastCalmMoment(record);
    if (m_isElsewhere)
        m_readAgain.start();
    else
        m_readAgain.stop();
    emit changed();
}

void Training::readAgain()
{
    if (isOpen() || m_isLoading)
        return;
    onFiles([this, known = m_record]() -> std::function<void()> {
        const std::filesystem::path& folder = known.folder;
        const TrainingRecord record = readRecord(folder, known);
        const bool isRunning = RunLibrary::summary(folder).state == RunSummary::State::Running;
        return [this, record, isRunning] {
            if (isOpen() || record.folder != m_record.folder)
                return;
            const bool isNewer = record.moments != m_record.moments;
            m_isElsewhere = isRunning;
            adoptRecord(record);
            m_live = isNewer ? nullptr : m_live;
            if (isNewer && !m_shownStep && m_wantsToFollow)
                followLive();
        };
    });
}

} // namespace headscope::ui
