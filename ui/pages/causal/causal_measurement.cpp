#include "ui/pages/causal/causal_measurement.h"

#include "ui/pages/causal/causal_cost.h"
#include "ui/session/session.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

CausalMeasurement::CausalMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    connect(&m_scorer, &HeadScorer::traceScored, this, [this](const ScoredText& scored) {
        m_scores = *scored.tables;
        emit changed();
    });
    connect(&m_worker, &CausalWorker::advanced, this, [this](double fraction) {
        m_progress = fraction;
        emit progressed();
    });
    connect(&m_worker, &CausalWorker::otherFound, this, [this](TokenId token) {
        m_choice.foundFor = pairName(m_session.viewSnapshot(), m_choice);
        m_choice.foundOther = token;
        m_wanted = m_tried = keyNow();
    });
    connect(&m_worker, &CausalWorker::finished, this, &CausalMeasurement::adopt);
    connect(&m_worker, &CausalWorker::failed, this, [this](const QString& sentence) {
        m_wanted.clear();
        m_failure = sentence.isEmpty() ? tr("Cancelled.") : sentence;
        emit changed();
    });
}

void CausalMeasurement::choose(const CausalChoice& choice)
{
    m_choice = choice;
    m_failure.clear();
    m_tried.clear();
    emit chosen();
}

void CausalMeasurement::show(const CausalChoice& choice)
{
    m_choice = choice;
    emit changed();
}

bool CausalMeasurement::freeCell()
{
    if (!m_choice.cell || m_choice.section != CausalSection::Patch)
        return false;
    m_choice.cell.reset();
    emit changed();
    return true;
}

void CausalMeasurement::limitStep(int steps)
{
    m_choice.step = std::clamp(m_choice.step, 0, std::max(0, steps - 1));
}

void CausalMeasurement::restore(const CausalChoice& choice, const CausalResults& results)
{
    m_choice = choice;
    m_results = results;
    m_failure.clear();
    m_tried.clear();
}

QByteArray CausalMeasurement::keyNow() const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    if (m_session.text().isEmpty() || !causalProblem(view, m_choice).isEmpty())
        return {};
    return keyOf(causalJob(view, m_choice, m_choice.section));
}

bool CausalMeasurement::holds(const QByteArray& key, double before) const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    return !key.isEmpty() && key == keyNow() && belongsTo(view, metricFor(view, m_choice), before);
}

const AblationSweep* CausalMeasurement::sweep() const
{
    const bool holdsNow = m_choice.section == CausalSection::Heads && m_results.sweep &&
                          holds(m_results.sweep->key, m_results.sweep->sweep.before);
    return holdsNow ? &m_results.sweep->sweep : nullptr;
}

const PatchGrid* CausalMeasurement::grid() const
{
    const bool holdsNow = m_choice.section == CausalSection::Patch && m_results.grid &&
                          holds(m_results.grid->key, m_results.grid->grid.clean);
    return holdsNow ? &m_results.grid->grid : nullptr;
}

const FactPath* CausalMeasurement::path() const
{
    const bool holdsNow = m_choice.section == CausalSection::Path && m_results.path &&
                          holds(m_results.path->key, m_results.path->path.clean);
    return holdsNow ? &m_results.path->path : nullptr;
}

HeadScoreTable CausalMeasurement::scores() const
{
    const AttentionKind part = m_session.selection().part;
    const auto found =
        m_scores.find(part == AttentionKind::EncoderSelf ? AttentionKind::DecoderSelf : part);
    return found != m_scores.end() ? found->second : HeadScoreTable();
}

void CausalMeasurement::start()
{
    const QByteArray key = keyNow();
    if (key.isEmpty() || key == m_wanted || isKnown())
        return;
    m_wanted = m_tried = key;
    m_failure.clear();
    m_progress = 0.0;
    m_worker.run(causalJob(m_session.viewSnapshot(), m_choice, m_choice.section));
    emit changed();
}

void CausalMeasurement::startIfQuick()
{
    const QByteArray key = keyNow();
    if (!key.isEmpty() && key != m_tried && !m_session.computation().isRunning() &&
        isQuick(m_session.viewSnapshot()))
        start();
}

void CausalMeasurement::cancel()
{
    m_worker.cancel();
}

bool CausalMeasurement::isQuick(const ViewSnapshot& view) const
{
    constexpr double kAtOnceSeconds = 3.0;
    const auto cost = costOf(view, m_choice.section);
    return cost && cost->seconds < kAtOnceSeconds;
}

void CausalMeasurement::adopt(const CausalResult& result)
{
    const QByteArray key = std::exchange(m_wanted, {});
    if (const auto* sweep = std::get_if<AblationSweep>(&result))
        m_results.sweep = {key, *sweep};
    if (const auto* grid = std::get_if<PatchGrid>(&result))
        m_results.grid = {key, *grid};
    if (const auto* path = std::get_if<FactPath>(&result))
        m_results.path = {key, *path};
    emit changed();
}

void CausalMeasurement::follow(bool isOtherModel)
{
    if (isOtherModel)
        m_worker.cancel();
    if (m_worker.isRunning() && keyNow() != m_wanted)
        m_worker.cancel(); // Its answer belongs to an earlier request.
    if (m_session.traceA() != m_scoring) {
        m_scoring = m_session.traceA();
        m_scores.clear();
        m_scorer.scoreTrace(m_scoring);
    }
    if (keyNow() != m_tried)
        m_failure.clear(); // It belongs to an earlier request.
}

} // namespace headscope::ui
