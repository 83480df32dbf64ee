// What the page of all heads says beside its table.
#include "ui/views/empty_state.h"
#include "ui/views/head_card.h"
#include "ui/views/heads_view.h"
#include "ui/views/shown_pattern.h"
#include "ui/widgets/labels.h"

#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

void HeadsView::refreshCard()
{
    const Looking looking = session().looking();
    const HeadIndex index = selected();
    const HeadScoreTable& table = scores();
    HeadCardContent card;
    card.title = tr("Head %1.%2").arg(index.layer).arg(index.head);
    if (const auto& model = looking.model().model; model) {
        const auto groups = static_cast<int>(model->config().keyHeadCount());
        const auto heads = static_cast<int>(model->config().heads);
        if (groups < heads)
            card.group = tr("KV group %1").arg(index.head * groups / heads);
    }
    const double value = table.at(index, m_choice.score);
    card.figure = scoreText(m_choice.score, value);
    const auto found = std::find(m_order.begin(), m_order.end(), index);
    if (std::isnan(value))
        card.rank = tr("%1: not defined").arg(scoreTitle(m_choice.score));
    else if (found != m_order.end())
        card.rank = tr("%1,\nrank %2 of %3")
                        .arg(scoreTitle(m_choice.score).toLower())
                        .arg(found - m_order.begin() + 1)
                        .arg(count(static_cast<long long>(m_order.size())));
    card.map.scale = {looking.colourMap, 0.0F, 1.0F, 1.0};
    const AttentionPart part = looking.selection.part;
    if (m_choice.onProbe && m_probe) {
        card.mapTitle = tr("On the probe");
        card.mapNote = tr("%1 random tokens, twice").arg(m_probe->period);
        card.map.matrix = patternOf(*m_probe->example, part, index);
        card.map.mask = maskOf(*m_probe->example, part);
    } else if (looking.trace()) {
        card.mapTitle = tr("On this text");
        card.mapNote = tr("weights 0 to 1");
        card.map.matrix = patternOf(*looking.trace(), part, index);
        card.map.mask = maskOf(*looking.trace(), part);
        card.map.rowLabels = labelsOf(queryTokens(*looking.trace(), part), looking.model());
        card.map.columnLabels = labelsOf(keyTokens(*looking.trace(), part), looking.model());
    }
    const bool cross = part == AttentionPart::Cross;
    if (!cross)
        card.distances = distanceBars(card.map.matrix);
    card.distanceNote = cross ? tr("query and key stand in two texts")
                              : tr("share of the attention, in tokens back");
    const Interventions::Head active = session().activeHead();
    card.isOff = session().changes().isOff(active);
    m_card->setContent(std::move(card));
}

void HeadsView::refreshStatus()
{
    m_cancel->setVisible(m_scorer.isProbing());
    if (m_choice.onProbe && m_probe)
        m_status->setText(
            tr("mean of %1 texts of %2 tokens").arg(m_probe->texts).arg(2 * m_probe->period));
    else if (m_choice.onProbe)
        m_status->setText(m_progress);
    else if (session().text().isEmpty() || !session().shownTrace())
        m_status->setText({});
    else
        m_status->setText(
            m_scored == session().shownTrace()
                ? tr("%1 heads scored").arg(count(static_cast<long long>(m_order.size())))
                : tr("measuring"));
}

void HeadsView::refreshEmptyState()
{
    const bool noModel = !session().model().model && session().loadingName().isEmpty();
    const bool noText = !m_choice.onProbe && session().text().isEmpty();
    for (QWidget* part : {static_cast<QWidget*>(m_grid), static_cast<QWidget*>(m_table),
                          static_cast<QWidget*>(m_legend), static_cast<QWidget*>(m_meaning),
                          static_cast<QWidget*>(m_card)})
        part->setVisible(!noModel && !noText);
    m_empty->setVisible(noModel || noText);
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
