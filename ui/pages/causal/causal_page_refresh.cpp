#include "core/analysis/lens/next_token.h"
#include "ui/pages/causal/causal_map.h"
#include "ui/pages/causal/causal_page.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/step_bar.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>

#include <set>

namespace headscope::ui {

namespace {

void choose(ChoiceBox& box, int data)
{
    const int index = box.findData(data);
    box.setCurrentIndex(std::max(0, index));
}

/// What could come after a position, the most probable first, and what really does.
std::vector<TokenId> candidatesOf(const TracePtr& trace, std::int64_t position)
{
    constexpr int kCandidates = 12;
    std::vector<TokenId> ids;
    if (!trace || position >= static_cast<std::int64_t>(trace->tokens().size()))
        return ids;
    for (const Candidate& candidate : nextTokens(*trace, position, kCandidates, nullptr))
        ids.push_back(candidate.id);
    const std::vector<TokenId> own = trace->tokens().ids();
    if (static_cast<std::size_t>(position) + 1 < own.size())
        ids.push_back(own[static_cast<std::size_t>(position) + 1]);
    return ids;
}

} // namespace

void CausalPage::refreshAll()
{
    refreshControls();
    refreshHeads();
    refreshMaps();
    refreshStatus();
    refreshEmptyState();
}

void CausalPage::refreshControls()
{
    const Looking looking = session().looking();
    const bool states = watchesStates(looking);
    const bool heads = m_choice.section == CausalSection::Heads;
    const bool loss = m_choice.metric == GradientTarget::Kind::Loss;
    const bool difference = !states && m_choice.metric == GradientTarget::Kind::LogitDifference;
    m_section->setCurrent(static_cast<int>(m_choice.section));
    m_metric->setCurrent(static_cast<int>(m_choice.metric));
    m_replacement->setCurrent(static_cast<int>(m_choice.replacement));
    choose(*m_score, static_cast<int>(comparedScore(m_choice, scoresShown())));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_token, m_position, m_after})
        widget->setVisible(!loss && !states);
    m_metric->setVisible(!states);
    m_states->setVisible(states);
    m_states->setText(states ? metricWords(looking, {}) : QString());
    m_minus->setVisible(difference);
    m_other->setVisible(difference);
    m_replacement->setVisible(heads && !states);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_scoreCaption, m_score})
        widget->setVisible(heads);
    m_corrupted->setVisible(!heads);
    m_site->setVisible(m_choice.section == CausalSection::Patch);
    const QString text = corruptedText(looking, m_choice);
    if (m_corrupted->text() != text && !m_corrupted->hasFocus())
        m_corrupted->setText(text);
    refreshTokens();
}

void CausalPage::refreshTokens()
{
    const Looking looking = session().looking();
    for (ChoiceBox* box : {m_token, m_other, m_position, m_site})
        box->clear();
    if (!looking.a || !looking.modelA.model || watchesStates(looking) ||
        !causalProblem(looking, CausalChoice()).isEmpty())
        return;
    const GradientTarget metric = metricFor(looking, m_choice);
    std::set<TokenId> listed;
    const auto add = [&](TokenId id) {
        if (id < 0 || !listed.insert(id).second)
            return;
        const QString label = QStringLiteral("\u201C%1\u201D").arg(labelOf(id, looking.modelA));
        m_token->addItem(label, id);
        m_other->addItem(label, id);
    };
    m_token->addItem(tr("first choice"), -1);
    m_other->addItem(m_choice.section == CausalSection::Heads ? tr("second choice")
                                                              : tr("corrupted answer"),
                     -1);
    add(metric.token);
    add(metric.other);
    for (const TracePtr& trace : {looking.a, looking.b})
        for (const TokenId id : candidatesOf(trace, metric.position))
            add(id);
    choose(*m_token, metric.token);
    choose(*m_other, metric.other);
    const QStringList labels = labelsOf(looking.a->tokens(), looking.modelA);
    m_position->addItem(tr("the last token"), -1);
    for (int position = 0; position < labels.size(); ++position)
        m_position->addItem(tr("token %1 \u201C%2\u201D").arg(position).arg(labels[position]),
                            position);
    choose(*m_position, m_choice.position);
    for (const PatchSite site : patchSites(looking.modelA.model->config()))
        m_site->addItem(patchSiteName(site), static_cast<int>(site));
    choose(*m_site, static_cast<int>(m_choice.site));
}

/// Of the heads that are switched off: those of the stack that predicts.
HeadScoreTable CausalPage::scoresShown() const
{
    const AttentionPart part = session().selection().part;
    const auto found =
        m_scores.find(familyOf(part == AttentionPart::Encoder ? AttentionPart::Decoder : part));
    return found != m_scores.end() ? found->second : HeadScoreTable();
}

void CausalPage::refreshHeads()
{
    m_sweep = {};
    const Looking looking = session().looking();
    const AblationSweep* const known = sweep();
    if (known != nullptr)
        m_sweep = sweepContent(looking, m_choice, *known, scoresShown());
    m_grid->setContent(m_sweep.grid);
    m_legend->setContent(m_sweep.legend);
    m_scatter->setContent(m_sweep.scatter);
    m_correlation->setText(m_sweep.words);
    m_table->setColumns(m_sweep.columns);
    m_table->setSorted(m_choice.byScore ? 3 : 0, false);
    m_table->setRows(m_sweep.rows);
    const HeadIndex selected{looking.selection.layer, looking.selection.head};
    const auto row = std::find(m_sweep.order.begin(), m_sweep.order.end(), selected);
    m_table->setCurrentRow(
        row != m_sweep.order.end() ? static_cast<int>(row - m_sweep.order.begin()) : -1);
}

void CausalPage::refreshMaps()
{
    const Looking looking = session().looking();
    const FactPath* const fact = path();
    const PatchGrid* const patched = grid();
    const bool steps = m_choice.section == CausalSection::Path;
    m_steps->setVisible(steps && fact != nullptr);
    m_back->setVisible(steps);
    m_next->setVisible(steps);
    m_apply->setVisible(false);
    if (steps && fact != nullptr) {
        m_choice.step = std::clamp(m_choice.step, 0, std::max(0, stepCount(*fact) - 1));
        StepBarContent bar;
        bar.titles = stepTitles(*fact);
        bar.now = m_choice.step;
        bar.complete = m_choice.step;
        m_steps->setContent(bar);
        const StepContent content = stepContent(looking, *fact, m_choice.step);
        m_map->setShown(content.shown);
        m_mapLegend->setContent(content.shown.legend);
        m_title->setText(content.title);
        m_words->setText(content.words);
        m_back->setEnabled(m_choice.step > 0);
        m_next->setEnabled(m_choice.step + 1 < stepCount(*fact));
    } else if (patched != nullptr) {
        const PatchContent content = patchContent(looking, m_choice, *patched);
        m_map->setShown(content.shown);
        m_mapLegend->setContent(content.shown.legend);
        m_title->setText(content.title);
        m_words->setText(content.problem.isEmpty() ? content.words : content.problem);
        const bool oneStack = mainStack(looking.modelA.model->config()) == Stack::Blocks;
        m_apply->setVisible(m_choice.cell && isByPosition(m_choice.site) && oneStack);
    } else {
        m_map->setShown({});
        m_words->clear();
    }
}

void CausalPage::refreshStatus()
{
    const bool running = m_worker.isRunning();
    m_cancel->setVisible(running);
    const bool known = sweep() || grid() || path();
    m_run->setVisible(!running && !known);
    m_run->setEnabled(!keyNow().isEmpty() && !session().isComputing());
    if (running) {
        m_status->setText(tr("%1 % done").arg(std::lround(100.0 * m_share)));
    } else if (const AblationSweep* done = sweep()) {
        m_status->setText(
            tr("Heads: %1 in %2 s, %3 times as long as one whole pass for each")
                .arg(static_cast<int>(done->heads.size()))
                .arg(number(done->seconds, 2), number(done->ratioToPlainPasses(), 2)));
    } else if (const PatchGrid* patched = grid()) {
        m_status->setText(tr("clean %1, corrupted %2; %3 s")
                              .arg(number(patched->clean, 2), number(patched->corrupted, 2),
                                   number(patched->seconds, 2)));
    } else {
        m_status->clear();
    }
}

void CausalPage::refreshEmptyState()
{
    const bool noModel = session().isBlank();
    const bool noText = session().text().isEmpty();
    const bool known = sweep() || grid() || path();
    const Looking looking = session().looking();
    const QString problem = causalProblem(looking, m_choice);
    const bool shown = noModel || noText || !known;
    const bool heads = m_choice.section == CausalSection::Heads;
    m_stack->setCurrentIndex(shown ? 2 : (heads ? 0 : 1));
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else if (noText)
        m_empty->askForText(session(), tr("Type a sentence above: its heads are tested here."));
    else if (!problem.isEmpty())
        m_empty->setTexts(tr("This cannot be tested"), problem, {});
    else if (!m_failure.isEmpty())
        m_empty->setTexts(tr("Nothing was measured"), m_failure, {});
    else if (m_worker.isRunning())
        m_empty->setTexts(tr("Measuring"), metricWords(looking, metricFor(looking, m_choice)), {});
    else
        m_empty->setTexts(tr("Nothing is measured yet"),
                          tr("Run it: the model runs again for every part that is replaced."), {});
}

} // namespace headscope::ui
