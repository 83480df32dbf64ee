// What the page of all heads asks for, and what it shows of the answers.
#include "ui/pages/shared/choice_bars.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/heads/head_card.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"

#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kSurveyedUnasked = 1e9; // weights; above, a survey takes minutes
constexpr int kWeightSheet = 3;

/// About how many weights a model has.
double weightsOf(const ModelConfig& config)
{
    const auto width = static_cast<double>(config.dModel);
    const double block = 4.0 * width * width + 3.0 * width * static_cast<double>(config.dFf);
    return block * static_cast<double>(config.layers) +
           width * static_cast<double>(config.vocabularySize);
}

template<class Table, class Tables>
const Table* tableOf(const Tables* tables, HeadFamily family)
{
    if (!tables)
        return nullptr;
    const auto found = tables->find(family);
    return found != tables->end() ? &found->second : nullptr;
}

} // namespace

HeadsMeasured HeadsPage::measured() const
{
    HeadsMeasured known;
    const HeadSurveyPtr& survey = m_surveyed.survey;
    if (m_text.tables && !session().text().isEmpty())
        known.text = tableOf<HeadScoreTable>(m_text.tables.get(), family());
    if (survey && survey->repeats)
        known.repeats = tableOf<HeadScoreTable>(&survey->repeats->tables, family());
    if (survey)
        known.survey = tableOf<HeadScoreTable>(&survey->tables, family());
    known.isDifference = m_text.before != nullptr;
    const auto& labels = session().isCaptured() ? m_text.labels : m_surveyed.labels;
    known.labels = tableOf<HeadLabelTable>(labels.get(), family());
    return known;
}

/// Asks for what is wanted and not there yet.
void HeadsPage::measure()
{
    const std::shared_ptr<const Model> model = session().looking().model().model;
    if (model != m_surveyed.model && model != m_surveying)
        stopSurvey();
    askForScores();
    compareText();
    readWeights();
    if (!model || model == m_surveyed.model || model == m_surveying)
        return;
    if (m_choice.onProbe)
        startSurvey();
    else if (weightsOf(model->config()) <= kSurveyedUnasked)
        m_later.start();
}

void HeadsPage::stopSurvey()
{
    m_later.stop();
    m_scorer.cancelSurvey();
    m_surveyed = {};
    m_surveying.reset();
    m_problem.clear();
}

void HeadsPage::startSurvey()
{
    const LoadedModel model = session().looking().model();
    m_later.stop();
    const bool running = m_scorer.isSurveying() && m_surveying == model.model;
    if (!model.model || running || m_surveyed.model == model.model)
        return;
    m_problem.clear();
    m_surveying = model.model;
    m_scorer.survey(model);
}

/// The shown run's, and A's beside it while a difference is shown.
std::pair<TracePtr, TracePtr> HeadsPage::wantedTraces() const
{
    const Looking looking = session().looking();
    const bool isDifference = looking.shown == Run::Difference && looking.isComparable();
    return {looking.trace(), isDifference ? looking.a : nullptr};
}

void HeadsPage::askForScores()
{
    const auto wanted = wantedTraces();
    if (wanted == m_scoring)
        return;
    m_scoring = wanted;
    m_scorer.scoreTrace(wanted.first, session().isCaptured(), wanted.second);
}

/// After the scores, which are wanted first.
void HeadsPage::compareText()
{
    const TracePtr trace = session().looking().trace();
    const std::pair wanted{trace, family()};
    if (!trace || m_text.trace != trace || m_comparing == wanted)
        return;
    m_comparing = wanted;
    m_scorer.compare(trace, family());
}

/// Only for the sheet that shows it: it takes a while for heads of late layers.
void HeadsPage::readWeights()
{
    const LoadedModel model = session().looking().model();
    const bool known = m_weights && m_weightsOf == model.model && m_weights->family == family() &&
                       m_weights->head == placeOf(selected());
    if (m_card->sheet() != kWeightSheet || known)
        return;
    m_weights.reset();
    m_weightsOf = model.model;
    m_scorer.readWeights(model, family(), placeOf(selected()));
}

/// Until someone chooses: induction, or on a text without repeats a score that it has.
void HeadsPage::beginWithAScore()
{
    if (m_chosen)
        return;
    m_choice.score = HeadScore::InductionStripe;
    for (const HeadScore score : {HeadScore::PreviousToken, HeadScore::NormalisedEntropy})
        if (!m_choice.onProbe && !whyUndefined(sortedBy(measured(), m_choice)).isEmpty())
            m_choice.score = score;
}

void HeadsPage::choose(HeadScore score)
{
    m_chosen = true;
    m_choice.rising = score == m_choice.score && !m_choice.rising;
    m_choice.score = score;
    if (infoOf(score).needs != HeadScoreNeeds::Text)
        startSurvey();
    refreshAll();
}

/// The column that is sorted by turns the order; another one is sorted by.
void HeadsPage::chooseColumn(int column)
{
    m_chosen = true;
    if (column == sortedColumn(measured(), m_choice)) {
        m_choice.rising = !m_choice.rising;
    } else {
        m_choice.onProbe = column == 1;
        m_choice.rising = false;
    }
    if (m_choice.onProbe)
        startSurvey();
    refreshAll();
}

bool HeadsPage::isSettled() const
{
    const auto [trace, before] = wantedTraces();
    const bool compared = !m_choice.similar || !trace || (m_likeness && m_likeness->trace == trace);
    return m_text.trace == trace && m_text.before == before && compared &&
           !m_scorer.isSurveying() && !m_later.isActive();
}

void HeadsPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model)) { // other heads
        m_text = {};
        m_scoring = {};
        m_likeness.reset();
        m_comparing = {};
        m_weights.reset();
    }
    if (m_evidenceOf != selected())
        m_evidence = -1;
    measure();
    refreshAll();
}

void HeadsPage::refreshAll()
{
    refreshChoices();
    refreshMap();
    refreshTable();
    refreshCard();
    refreshStatus();
    refreshEmptyState();
}

void HeadsPage::refreshChoices()
{
    const HeadLabelTable* labels = measured().labels;
    refreshRuns(*m_run, session().looking());
    refreshParts(*m_part, session().looking());
    m_score->setCurrentIndex(m_score->findData(static_cast<int>(m_choice.score)));
    m_label->clear();
    m_label->addItem(tr("Whatever they do"));
    for (const LabelRule& rule : labelRules()) {
        const int heads = labels ? labels->count(rule.kind) : 0;
        if (heads == 0 && m_choice.label != rule.kind)
            continue;
        m_label->addItem(tr("%1: %2").arg(labelTitle(rule.kind), count(heads)),
                         static_cast<int>(rule.kind));
        m_label->setItemData(m_label->count() - 1, labelMeaning(rule.kind), Qt::ToolTipRole);
    }
    m_label->setEnabled(labels);
    m_label->setCurrentIndex(m_choice.label ? m_label->findData(static_cast<int>(*m_choice.label))
                                            : 0);
    m_top->setCurrentIndex(std::max(m_top->findData(m_choice.top), 0));
    m_measured->setCurrent(m_choice.onProbe ? 1 : 0);
    const bool twoColumns = headsColumns(measured(), m_choice.score).size() > 1;
    m_measured->setEnabled(twoColumns);
    m_pictures->setCurrent(m_choice.similar ? 1 : 0);
}

void HeadsPage::refreshMap()
{
    const Looking looking = session().looking();
    const HeadsColumn column = sortedBy(measured(), m_choice);
    m_shown = shownHeads(measured(), m_choice);
    m_grid->setContent(scoreGrid(looking, column, m_shown));
    if (m_likeness && m_likeness->family == family())
        m_plane->setContent(likenessMap(looking, *m_likeness, column, m_shown));
    limitGrid();
    m_legend->setContent(scoreLegend(looking, column));
    QString words = whyUndefined(column);
    if (words.isEmpty() && m_choice.similar)
        words = m_likeness ? whyWords(m_likeness->whyNot) : QString();
    if (words.isEmpty())
        words = scoreMeaning(column.score);
    m_meaning->setText(words);
}

void HeadsPage::refreshTable()
{
    const std::vector<HeadsColumn> columns = headsColumns(measured(), m_choice.score);
    const int sorted = sortedColumn(measured(), m_choice);
    std::vector<ScoreColumn> titles = scoreColumns(columns);
    if (titles != m_table->columns()) // setting them forgets where the table was scrolled to
        m_table->setColumns(std::move(titles));
    const LoadedModel model = session().looking().model();
    const int groups = model.model ? static_cast<int>(model.model->config().keyHeadCount()) : 0;
    m_table->setSorted(sorted, m_choice.rising);
    m_table->setRows(scoreRows(columns, m_shown, measured().labels, groups));
    const auto found = std::find(m_shown.begin(), m_shown.end(), placeOf(selected()));
    m_table->setCurrentRow(found != m_shown.end() ? static_cast<int>(found - m_shown.begin()) : -1);
}

void HeadsPage::refreshStatus()
{
    const std::shared_ptr<const Model> model = session().looking().model().model;
    const bool surveying = m_scorer.isSurveying();
    const bool offers = !surveying && model && model != m_surveyed.model && !m_later.isActive();
    m_cancel->setVisible(surveying || offers);
    m_cancel->setText(surveying ? tr("Cancel") : tr("Measure standard texts"));
    const auto heads = static_cast<long long>(rankedHeads(measured(), m_choice).size());
    const auto shown = static_cast<long long>(m_shown.size());
    if (surveying)
        m_status->setText(tr("measuring standard texts: %1 %").arg(qRound(100.0 * m_progress)));
    else if (!m_problem.isEmpty())
        m_status->setText(m_problem);
    else if (!session().text().isEmpty() && m_text.trace != session().shownTrace())
        m_status->setText(tr("measuring"));
    else if (shown < heads)
        m_status->setText(tr("%1 of %2 heads").arg(count(shown), count(heads)));
    else
        m_status->setText(heads > 0 ? tr("%1 heads scored").arg(count(heads)) : QString());
}

void HeadsPage::refreshEmptyState()
{
    const bool noModel = session().isBlank();
    const bool noText = !m_choice.onProbe && session().text().isEmpty();
    const bool shows = !noModel && !noText;
    for (QWidget* part : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_legend),
                          static_cast<QWidget*>(m_meaning), static_cast<QWidget*>(m_card)})
        part->setVisible(shows);
    m_grid->setVisible(shows && !m_choice.similar);
    m_plane->setVisible(shows && m_choice.similar);
    m_empty->setVisible(!shows);
    m_empty->raise();
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else if (noText)
        m_empty->askForText(session(), tr("Type a sentence above to measure every head on it, or "
                                          "measure them on random repeats."));
}

} // namespace headscope::ui
