#include "ui/pages/heads/head_measurement.h"

#include "ui/session/session.h"

namespace headscope::ui {

namespace {

constexpr double kSurveyedUnasked = 1e9; // Weights; a survey of a larger model takes minutes.

/// Approximate number of weights of a model.
double weightsOf(const ModelConfig& config)
{
    const auto width = static_cast<double>(config.dModel);
    const double block = 4.0 * width * width + 3.0 * width * static_cast<double>(config.dFf);
    return block * static_cast<double>(config.layers) +
           width * static_cast<double>(config.vocabularySize);
}

template<class Table, class Tables>
const Table* tableOf(const Tables* tables, AttentionKind attention)
{
    if (!tables)
        return nullptr;
    const auto found = tables->find(attention);
    return found != tables->end() ? &found->second : nullptr;
}

} // namespace

HeadMeasurement::HeadMeasurement(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    m_later.setSingleShot(true);
    m_later.setInterval(400);
    connect(&m_later, &QTimer::timeout, this, [this] {
        startSurvey();
        emit surveyChanged();
    });
    connectScorer();
}

void HeadMeasurement::connectScorer()
{
    connect(&m_scorer, &HeadScorer::traceScored, this, [this](const ScoredText& scored) {
        m_text = scored;
        compareText();
        emit textScored();
    });
    connect(&m_scorer, &HeadScorer::compared, this, [this](const HeadLikenessPtr& likeness) {
        m_likeness = likeness;
        emit textCompared();
    });
    connect(&m_scorer, &HeadScorer::weightsRead, this, [this](const HeadWeightsPtr& weights) {
        m_weights = weights;
        emit weightsRead();
    });
    connect(&m_scorer, &HeadScorer::surveyProgressed, this, [this](double fraction) {
        m_progress = fraction;
        emit surveyProgressed();
    });
    connect(&m_scorer, &HeadScorer::surveyed, this, [this](const SurveyedModel& surveyed) {
        m_surveyed = surveyed;
        m_problem.clear();
        emit surveyChanged();
    });
    connect(&m_scorer, &HeadScorer::surveyFailed, this, [this](const QString& sentence) {
        m_problem = sentence.isEmpty() ? tr("Cancelled.") : sentence;
        emit surveyChanged();
    });
}

HeadsMeasured HeadMeasurement::measured() const
{
    HeadsMeasured known;
    const HeadSurveyPtr& survey = m_surveyed.survey;
    if (m_text.tables && !m_session.text().isEmpty())
        known.text = tableOf<HeadScoreTable>(m_text.tables.get(), attention());
    if (survey && survey->repeats)
        known.repeats = tableOf<HeadScoreTable>(&survey->repeats->tables, attention());
    if (survey)
        known.survey = tableOf<HeadScoreTable>(&survey->tables, attention());
    known.isDifference = m_text.before != nullptr;
    const auto& labels = m_session.isCaptured() ? m_text.labels : m_surveyed.labels;
    known.labels = tableOf<HeadLabelTable>(labels.get(), attention());
    return known;
}

AttentionKind HeadMeasurement::attention() const
{
    return m_session.selection().part;
}

bool HeadMeasurement::isTextScored() const
{
    return m_text.trace == m_session.shownTrace();
}

bool HeadMeasurement::isSettled(bool withLikeness) const
{
    const auto [trace, before] = shownTraces();
    const bool compared = !withLikeness || !trace || (m_likeness && m_likeness->trace == trace);
    return m_text.trace == trace && m_text.before == before && compared && !isSurveying() &&
           !m_later.isActive();
}

bool HeadMeasurement::offersSurvey() const
{
    const std::shared_ptr<const Model> model = m_session.viewSnapshot().model().model;
    return !isSurveying() && model && model != m_surveyed.model && !m_later.isActive();
}

void HeadMeasurement::measure(bool wantsSurvey)
{
    const std::shared_ptr<const Model> model = m_session.viewSnapshot().model().model;
    if (model != m_surveyed.model && model != m_surveying)
        stopSurvey();
    askForScores();
    compareText();
    if (!model || model == m_surveyed.model || model == m_surveying)
        return;
    if (wantsSurvey)
        startSurvey();
    else if (weightsOf(model->config()) <= kSurveyedUnasked)
        m_later.start();
}

void HeadMeasurement::stopSurvey()
{
    m_later.stop();
    m_scorer.cancelSurvey();
    m_surveyed = {};
    m_surveying.reset();
    m_problem.clear();
}

void HeadMeasurement::startSurvey()
{
    const LoadedModel model = m_session.viewSnapshot().model();
    m_later.stop();
    const bool running = isSurveying() && m_surveying == model.model;
    if (!model.model || running || m_surveyed.model == model.model)
        return;
    m_problem.clear();
    m_surveying = model.model;
    m_scorer.survey(model);
}

void HeadMeasurement::cancelSurvey()
{
    m_scorer.cancelSurvey();
}

void HeadMeasurement::forgetText()
{
    m_text = {};
    m_scoring = {};
    m_likeness.reset();
    m_comparing = {};
    m_weights.reset();
}

/// Traces to score: the shown one, and A's too while a difference is shown.
std::pair<TracePtr, TracePtr> HeadMeasurement::shownTraces() const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const bool isDifference = view.shown == Variant::Difference && view.isComparable();
    return {view.trace(), isDifference ? view.a : nullptr};
}

void HeadMeasurement::askForScores()
{
    const auto wanted = shownTraces();
    if (wanted == m_scoring)
        return;
    m_scoring = wanted;
    m_scorer.scoreTrace(wanted.first, m_session.isCaptured(), wanted.second);
}

/// Runs after the scores, which have priority.
void HeadMeasurement::compareText()
{
    const TracePtr trace = m_session.viewSnapshot().trace();
    const std::pair wanted{trace, attention()};
    if (!trace || m_text.trace != trace || m_comparing == wanted)
        return;
    m_comparing = wanted;
    m_scorer.compare(trace, attention());
}

void HeadMeasurement::readWeights(HeadId head)
{
    const LoadedModel model = m_session.viewSnapshot().model();
    if (m_weights && m_weightsOf == model.model && m_weights->head == head)
        return;
    m_weights.reset();
    m_weightsOf = model.model;
    m_scorer.readWeights(model, head);
}

} // namespace headscope::ui
