// What the page of all heads says of the chosen one.
#include "core/analysis/heads/head_tokens.h"
#include "ui/pages/heads/head_card.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/shared/maps/shown_pattern.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

Bar barOf(const QString& label, double value)
{
    Bar bar;
    bar.label = label;
    bar.value = value;
    return bar;
}

/// A map with the evidence's cells outlined in its current cell; labels for reading it aloud.
void showTrace(HeadCardContent& card, const Trace& trace, const Looking& looking, HeadIndex index)
{
    const AttentionPart part = looking.selection.part;
    card.map.matrix = patternOf(trace, part, index);
    card.map.mask = maskOf(trace, part);
    card.map.rowLabels = labelsOf(queryTokens(trace, part), looking.model());
    card.map.columnLabels = labelsOf(keyTokens(trace, part), looking.model());
}

QString rankText(const HeadScoreTable& table, HeadAt head, HeadScore score)
{
    const auto order = table.ranked(score);
    const auto found = std::find(order.begin(), order.end(), head);
    return QStringLiteral("%1  #%2")
        .arg(scoreText(score, table.at(head, score)))
        .arg(found - order.begin() + 1);
}

/// Shares are bars on one scale; of other scores the largest here is full.
double shareOf(const HeadScoreTable& table, HeadAt head, HeadScore score)
{
    const double value = table.at(head, score);
    if (infoOf(score).high == 1.0)
        return std::clamp(value, 0.0, 1.0);
    const HeadAt first = table.ranked(score).front();
    const double largest = table.at(first, score);
    return largest > 0.0 ? value / largest : 0.0;
}

} // namespace

const HeadLabel* HeadsPage::chosenLabel() const
{
    const HeadLabelTable* labels = measured().labels;
    if (!labels || m_evidence < 0)
        return nullptr;
    const auto& all = labels->at(placeOf(selected()));
    const auto index = static_cast<std::size_t>(m_evidence);
    return index < all.size() ? &all[index] : nullptr;
}

/// On the evidence's own sentence where it has one.
void HeadsPage::openHead()
{
    const HeadLabel* label = chosenLabel();
    if (label && label->text && label->isOwnText) {
        const EvidenceCell cell = label->cells.empty() ? EvidenceCell() : label->cells.front();
        const bool shows = !label->cells.empty();
        session().replaceText(QString::fromStdString(lookingTokens(*label->text, family()).text));
        if (shows)
            session().selectPair(cell.query, cell.key);
    }
    emit pageWanted(QStringLiteral("head"));
}

void HeadsPage::refreshCard()
{
    const Looking looking = session().looking();
    const HeadIndex index = selected();
    const HeadsColumn column = sortedBy(measured(), m_choice);
    HeadCardContent card;
    card.title = tr("Head %1.%2").arg(index.layer).arg(index.head);
    if (const auto& model = looking.model().model; model) {
        const auto groups = static_cast<int>(model->config().keyHeadCount());
        const auto heads = static_cast<int>(model->config().heads);
        if (groups < heads)
            card.group = tr("KV group %1").arg(index.head * groups / heads);
    }
    const double value = column.at(index);
    card.figure = scoreText(column.score, value);
    if (std::isnan(value) || !column.table) {
        card.rank = tr("%1: not defined").arg(scoreTitle(column.score));
    } else {
        const auto order = column.table->ranked(column.score, m_choice.rising);
        const auto found = std::find(order.begin(), order.end(), placeOf(index));
        card.rank = tr("%1,\nrank %2 of %3")
                        .arg(scoreInSentence(column.score))
                        .arg(found - order.begin() + 1)
                        .arg(count(static_cast<long long>(order.size())));
    }
    fillEvidence(card);
    fillScoreSheet(card);
    fillTokenSheet(card);
    fillWeightSheet(card);
    card.isOff = session().changes().isOff(session().activeHead());
    m_card->setContent(std::move(card));
}

void HeadsPage::fillEvidence(HeadCardContent& card) const
{
    const Looking looking = session().looking();
    const AttentionPart part = looking.selection.part;
    const HeadLabelTable* labels = measured().labels;
    card.map.scale = {looking.colourMap, 0.0F, 1.0F, 1.0};
    card.mapTitle = tr("On this text");
    card.mapNote = tr("weights 0 to 1");
    if (looking.trace())
        showTrace(card, *looking.trace(), looking, selected());
    if (labels)
        for (const HeadLabel& label : labels->at(placeOf(selected()))) {
            Bar bar = barOf(labelTitle(label.kind), std::clamp(label.strength, 0.0, 1.0));
            bar.words = number(label.strength, 2);
            bar.subject = static_cast<int>(card.labels.size()) == m_evidence;
            bar.role = Role::Accent;
            card.labels.push_back(bar);
        }
    if (labels && card.labels.empty())
        card.labelNote = tr("No label: nothing stands out.");
    else if (labels && m_evidence < 0)
        card.labelNote = tr("Choose one to see where that shows.");
    const HeadLabel* label = chosenLabel();
    if (label) {
        card.label = m_evidence;
        card.labelNote = tr("%1 %2").arg(labelMeaning(label->kind), labelSentence(*label));
    }
    if (label && label->text) {
        showTrace(card, *label->text, looking, selected());
        card.mapTitle = tr("Where it shows");
        card.mapNote = label->isOwnText ? tr("a sample sentence") : tr("random tokens, twice");
        if (!label->cells.empty())
            card.map.current = HeatmapCell{label->cells.front().query, label->cells.front().key};
        if (label->isOwnText)
            card.openText = tr("Open on that sentence");
    } else if (!label && m_choice.onProbe && m_surveyed.survey && m_surveyed.survey->repeats) {
        showTrace(card, *m_surveyed.survey->repeats->example, looking, selected());
        card.mapTitle = tr("On random repeats");
        card.mapNote = tr("%1 tokens, twice").arg(m_surveyed.survey->repeats->period);
    }
    const bool cross = part == AttentionPart::Cross;
    if (!cross)
        card.distances = distanceBars(card.map.matrix);
    card.distanceNote = cross ? tr("query and key stand in two texts")
                              : tr("share of the attention, in tokens back");
}

void HeadsPage::fillScoreSheet(HeadCardContent& card) const
{
    const HeadsMeasured known = measured();
    const HeadAt head = placeOf(selected());
    for (const HeadScoreInfo& info : headScoreInfos()) {
        const HeadScoreTable* table = info.needs == HeadScoreNeeds::Text            ? known.text
                                      : info.needs == HeadScoreNeeds::RandomRepeats ? known.repeats
                                                                                    : known.survey;
        if (!table || std::isnan(table->at(head, info.score)))
            continue;
        Bar bar = barOf(scoreTitle(info.score), shareOf(*table, head, info.score));
        bar.words = rankText(*table, head, info.score);
        card.scores.push_back(bar);
    }
    card.scoresNote =
        card.scores.empty()
            ? tr("Nothing is measured yet.")
            : tr("With the rank among %1 heads; what this text does not define is "
                 "left out. Entropy in nats, %2 bits.")
                  .arg(known.text ? known.text->layers * known.text->heads : 0)
                  .arg(known.text ? number(inBits(known.text->at(head, HeadScore::Entropy)), 2)
                                  : QStringLiteral("\u2013"));
}

void HeadsPage::fillTokenSheet(HeadCardContent& card) const
{
    const Looking looking = session().looking();
    std::vector<TracePtr> texts;
    if (m_surveyed.survey)
        texts = m_surveyed.survey->samples;
    const bool onSamples = !texts.empty();
    if (!onSamples && looking.trace())
        texts = {looking.trace()};
    const HeadTokens tokens = topTokens(texts, family(), placeOf(selected()));
    for (const TokenWeight& token : tokens.queries)
        card.queries.push_back(barOf(labelOf(token.id, looking.model()), token.weight));
    for (const TokenWeight& token : tokens.keys)
        card.keys.push_back(barOf(labelOf(token.id, looking.model()), token.weight));
    card.tokensNote =
        onSamples
            ? tr("Mean weight beyond the first token, over %1 sample sentences.").arg(texts.size())
            : tr("Mean weight beyond the first token, on this text.");
    if (!m_likeness || m_likeness->family != family()) {
        card.alikeNote = tr("Not compared yet.");
        return;
    }
    for (const HeadLikeness::Near& near : m_likeness->nearest(placeOf(selected()), 5))
        card.alike.push_back(
            barOf(QStringLiteral("%1.%2").arg(near.head.layer).arg(near.head.head), near.distance));
    card.alikeNote = m_likeness->whyNot.empty()
                         ? tr("Jensen-Shannon distance on this text: 0 the same, 0.69 nothing in "
                              "common.")
                         : whyWords(m_likeness->whyNot);
}

void HeadsPage::fillWeightSheet(HeadCardContent& card) const
{
    const HeadScoreTable* survey = measured().survey;
    const double copying = survey ? survey->at(placeOf(selected()), HeadScore::Copying) : NAN;
    if (!session().looking().model().model) {
        card.weightsNote = tr("A captured text comes without weights.");
        return;
    }
    if (!survey)
        card.copying = tr("Not measured yet.");
    else if (std::isnan(copying))
        card.copying = tr("Not defined: %1").arg(whyWords(survey->why(HeadScore::Copying)));
    else
        card.copying =
            tr("%1 (-1 to 1): %2")
                .arg(number(copying, 3), copying > 0.5    ? tr("what it reads becomes more likely.")
                                         : copying < -0.5 ? tr("what it reads becomes less likely.")
                                                          : tr("it moves something else."));
    if (!m_weights) {
        card.weightsNote = tr("Reading the weights\u2026");
        return;
    }
    if (!m_weights->whyNot.empty()) {
        card.weightsNote = whyWords(m_weights->whyNot);
        return;
    }
    card.queryKey = m_weights->spectra.queryKey;
    card.outputValue = m_weights->spectra.outputValue;
    for (const HeadWeights::Reading& reading : m_weights->readings)
        card.readings.push_back(barOf(QStringLiteral("%1.%2 %3")
                                          .arg(reading.earlier.layer)
                                          .arg(reading.earlier.head)
                                          .arg(QLatin1Char(reading.way)),
                                      reading.above));
    card.weightsNote =
        m_weights->readings.empty()
            ? tr("There are no earlier heads to read from.")
            : tr("Composition into queries (Q), keys (K) or values (V), above the %1 of random "
                 "heads.")
                  .arg(number(m_weights->baseline, 3));
}

} // namespace headscope::ui
