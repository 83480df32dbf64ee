#include "ui/pages/heads/heads_side_panel.h"

#include "core/analysis/heads/head_tokens.h"
#include "ui/pages/heads/head_card.h"
#include "ui/pages/heads/head_measurement.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/session.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kCardWidth = 352;
constexpr int kWeightTab = 3;

Bar barOf(const QString& label, double value)
{
    Bar bar;
    bar.label = label;
    bar.value = value;
    return bar;
}

/// Map with the evidence's cells outlined in its current cell, and accessible labels.
void showTrace(HeadCardContent& card, const Trace& trace, const ViewSnapshot& view, HeadId head)
{
    const AttentionKind part = head.attention;
    card.map.matrix = patternOf(trace, head);
    card.map.mask = maskOf(trace, head);
    card.map.rowLabels = labelsOf(trace.queryTokens(part), view.model());
    card.map.columnLabels = labelsOf(trace.keyTokens(part), view.model());
}

QString rankText(const HeadScoreTable& table, HeadId head, HeadScore score)
{
    const auto order = table.ranked(score);
    const auto found = std::find(order.begin(), order.end(), head);
    return QStringLiteral("%1  #%2")
        .arg(scoreText(score, table.at(head, score)))
        .arg(found - order.begin() + 1);
}

/// Scores from 0 to 1 share one scale; for others the largest here fills the bar.
double fractionOf(const HeadScoreTable& table, HeadId head, HeadScore score)
{
    const double value = table.at(head, score);
    if (infoOf(score).high == 1.0)
        return std::clamp(value, 0.0, 1.0);
    const HeadId first = table.ranked(score).front();
    const double largest = table.at(first, score);
    return largest > 0.0 ? value / largest : 0.0;
}

const HeadScoreTable* tableFor(const HeadsMeasured& measured, HeadScoreNeeds needs)
{
    if (needs == HeadScoreNeeds::Text)
        return measured.text;
    return needs == HeadScoreNeeds::RandomRepeats ? measured.repeats : measured.survey;
}

} // namespace

HeadsSidePanel::HeadsSidePanel(Session& session, HeadMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_card(new HeadCard(this))
{
    setFixedWidth(kCardWidth);
    columnOf(0, {m_card}, this);
    connectCard();
    connect(&m_measurement, &HeadMeasurement::weightsRead, this, &HeadsSidePanel::refreshCard);
}

void HeadsSidePanel::connectCard()
{
    connect(m_card, &HeadCard::openWanted, this, &HeadsSidePanel::openHead);
    connect(m_card, &HeadCard::offWanted, this, [this](bool off) {
        m_session.document().setHeadOff(m_session.view().activeHead(), off);
    });
    connect(m_card, &HeadCard::labelChosen, this, [this](int label) {
        m_evidence = m_evidence == label ? -1 : label;
        m_evidenceOf = selected();
        refreshCard();
    });
    connect(m_card, &HeadCard::alikeChosen, this, [this](int row) {
        const auto near = m_measurement.likeness()->nearest(selected(), 5);
        const HeadId head = near.at(static_cast<std::size_t>(row)).head;
        m_session.view().activateHead(head.layer, head.head);
    });
    connect(m_card, &HeadCard::readingChosen, this, [this](int row) {
        const auto& readings = m_measurement.weights()->readings;
        const HeadId head = readings.at(static_cast<std::size_t>(row)).earlier;
        m_session.view().activateHead(head.layer, head.head);
    });
    connect(m_card, &HeadCard::tabChanged, this, [this] {
        readWeights();
        refreshCard();
    });
}

int HeadsSidePanel::tab() const
{
    return m_card->tab();
}

void HeadsSidePanel::setTab(int tab)
{
    m_card->setTab(tab);
}

void HeadsSidePanel::readWeights()
{
    if (tab() == kWeightTab)
        m_measurement.readWeights(selected());
}

HeadId HeadsSidePanel::selected() const
{
    return m_session.selection().headId();
}

const HeadLabel* HeadsSidePanel::chosenLabel() const
{
    const HeadLabelTable* labels = m_measurement.measured().labels;
    if (!labels || m_evidence < 0)
        return nullptr;
    const auto& all = labels->at(selected());
    const auto index = static_cast<std::size_t>(m_evidence);
    return index < all.size() ? &all[index] : nullptr;
}

void HeadsSidePanel::openHead()
{
    const HeadLabel* label = chosenLabel();
    if (label && label->text && label->isOwnText) {
        const EvidenceCell cell = label->cells.empty() ? EvidenceCell() : label->cells.front();
        const bool shows = !label->cells.empty();
        const auto& tokens = label->text->queryTokens(m_measurement.attention());
        m_session.document().replaceText(QString::fromStdString(tokens.text));
        if (shows)
            m_session.view().selectPair(cell.query, cell.key);
    }
    emit headOpened();
}

void HeadsSidePanel::refresh(const HeadsChoice& choice)
{
    m_choice = choice;
    if (m_evidenceOf != selected())
        m_evidence = -1;
    refreshCard();
}

void HeadsSidePanel::refreshCard()
{
    HeadCardContent card;
    fillHeading(card);
    fillLabels(card);
    fillMap(card);
    fillScoreTab(card);
    fillTokenTab(card);
    fillAlike(card);
    fillWeightTab(card);
    card.isOff = m_session.changes().isOff(m_session.view().activeHead());
    m_card->setContent(card);
}

void HeadsSidePanel::fillHeading(HeadCardContent& card) const
{
    const HeadId index = selected();
    const HeadsColumn column = sortedBy(m_measurement.measured(), m_choice);
    card.title = tr("Head %1.%2").arg(index.layer).arg(index.head);
    if (const auto model = m_session.viewSnapshot().model().model; model) {
        const auto groups = static_cast<int>(model->config().keyHeadCount());
        const auto heads = static_cast<int>(model->config().heads);
        if (groups < heads)
            card.group = tr("KV group %1").arg(index.head * groups / heads);
    }
    const double value = column.at(index);
    card.figure = scoreText(column.score, value);
    if (std::isnan(value) || !column.table) {
        card.rank = tr("%1: not defined").arg(scoreTitle(column.score));
        return;
    }
    const auto order = column.table->ranked(column.score, m_choice.rising);
    const auto found = std::find(order.begin(), order.end(), index);
    card.rank = tr("%1,\nrank %2 of %3")
                    .arg(scoreInSentence(column.score))
                    .arg(found - order.begin() + 1)
                    .arg(count(static_cast<long long>(order.size())));
}

void HeadsSidePanel::fillLabels(HeadCardContent& card) const
{
    const HeadLabelTable* labels = m_measurement.measured().labels;
    if (!labels)
        return;
    for (const HeadLabel& label : labels->at(selected())) {
        Bar bar = barOf(labelTitle(label.kind), std::clamp(label.strength, 0.0, 1.0));
        bar.words = number(label.strength, 2);
        bar.subject = static_cast<int>(card.labels.size()) == m_evidence;
        bar.role = Role::Accent;
        card.labels.push_back(bar);
    }
    if (card.labels.empty())
        card.labelNote = tr("No label: no score stands out.");
    else if (m_evidence < 0)
        card.labelNote = tr("Select one to see the evidence.");
    if (const HeadLabel* label = chosenLabel())
        card.labelNote = tr("%1 %2").arg(labelMeaning(label->kind), labelSentence(*label));
}

/// The current text, or the evidence of the selected label.
void HeadsSidePanel::fillMap(HeadCardContent& card) const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const HeadSurveyPtr& survey = m_measurement.survey();
    const HeadLabel* label = chosenLabel();
    card.map.scale = {view.colourMap, 0.0F, 1.0F, 1.0};
    card.mapTitle = tr("On this text");
    card.mapNote = tr("weights 0 to 1");
    if (view.trace())
        showTrace(card, *view.trace(), view, selected());
    if (label && label->text) {
        showTrace(card, *label->text, view, selected());
        card.mapTitle = tr("Evidence");
        card.mapNote = label->isOwnText ? tr("a sample sentence") : tr("random tokens, repeated");
        if (!label->cells.empty())
            card.map.current = HeatmapCell{label->cells.front().query, label->cells.front().key};
        if (label->isOwnText)
            card.openText = tr("Open on that sentence");
    } else if (!label && m_choice.onProbe && survey && survey->repeats) {
        showTrace(card, *survey->repeats->example, view, selected());
        card.mapTitle = tr("On random repeats");
        card.mapNote = tr("%1 tokens, repeated").arg(survey->repeats->period);
    }
    const bool cross = view.selection.part == AttentionKind::Cross;
    if (!cross)
        card.distances = distanceBars(card.map.matrix);
    card.distanceNote = cross ? tr("query and key belong to different texts")
                              : tr("fraction of attention, by distance in tokens");
}

void HeadsSidePanel::fillScoreTab(HeadCardContent& card) const
{
    const HeadsMeasured known = m_measurement.measured();
    const HeadId head = selected();
    for (const HeadScoreInfo& info : headScoreInfos()) {
        const HeadScoreTable* table = tableFor(known, info.needs);
        if (!table || std::isnan(table->at(head, info.score)))
            continue;
        Bar bar = barOf(scoreTitle(info.score), fractionOf(*table, head, info.score));
        bar.words = rankText(*table, head, info.score);
        card.scores.push_back(bar);
    }
    card.scoresNote =
        card.scores.empty()
            ? tr("No measurements yet.")
            : tr("With the rank among %1 heads; scores not defined on this text are omitted. "
                 "Entropy in nats, %2 bits.")
                  .arg(known.text ? known.text->layers * known.text->heads : 0)
                  .arg(known.text ? number(inBits(known.text->at(head, HeadScore::Entropy)), 2)
                                  : QStringLiteral("\u2013"));
}

void HeadsSidePanel::fillTokenTab(HeadCardContent& card) const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    std::vector<TracePtr> texts;
    if (m_measurement.survey())
        texts = m_measurement.survey()->samples;
    const bool onSamples = !texts.empty();
    if (!onSamples && view.trace())
        texts = {view.trace()};
    const HeadTokens tokens = topTokens(texts, selected());
    for (const TokenWeight& token : tokens.queries)
        card.queries.push_back(barOf(labelOf(token.id, view.model()), token.weight));
    for (const TokenWeight& token : tokens.keys)
        card.keys.push_back(barOf(labelOf(token.id, view.model()), token.weight));
    card.tokensNote =
        onSamples
            ? tr("Mean weight beyond the first token, over %1 sample sentences.").arg(texts.size())
            : tr("Mean weight beyond the first token, on this text.");
}

void HeadsSidePanel::fillAlike(HeadCardContent& card) const
{
    const HeadLikenessPtr& likeness = m_measurement.likeness();
    if (!likeness || likeness->attention != m_measurement.attention()) {
        card.alikeNote = tr("Not compared yet.");
        return;
    }
    for (const HeadLikeness::Near& near : likeness->nearest(selected(), 5))
        card.alike.push_back(
            barOf(QStringLiteral("%1.%2").arg(near.head.layer).arg(near.head.head), near.distance));
    card.alikeNote = likeness->whyNot.empty()
                         ? tr("Jensen-Shannon distance on this text: 0 identical, 0.69 disjoint.")
                         : whyText(likeness->whyNot);
}

QString HeadsSidePanel::copyingText() const
{
    const HeadScoreTable* survey = m_measurement.measured().survey;
    if (!survey)
        return tr("Not measured yet.");
    const double copying = survey->at(selected(), HeadScore::Copying);
    if (std::isnan(copying))
        return tr("Not defined: %1").arg(whyText(survey->why(HeadScore::Copying)));
    return tr("%1 (-1 to 1): %2")
        .arg(number(copying, 3), copying > 0.5    ? tr("it raises the logit of the attended token.")
                                 : copying < -0.5 ? tr("it lowers the logit of the attended token.")
                                                  : tr("it does not copy tokens."));
}

void HeadsSidePanel::fillWeightTab(HeadCardContent& card) const
{
    if (!m_session.viewSnapshot().model().model) {
        card.weightsNote = tr("A captured trace has no weights.");
        return;
    }
    card.copying = copyingText();
    const HeadWeightsPtr& weights = m_measurement.weights();
    if (!weights) {
        card.weightsNote = tr("Reading the weights\u2026");
        return;
    }
    if (!weights->whyNot.empty()) {
        card.weightsNote = whyText(weights->whyNot);
        return;
    }
    card.queryKey = weights->spectra.queryKey;
    card.outputValue = weights->spectra.outputValue;
    for (const HeadWeights::Reading& reading : weights->readings)
        card.readings.push_back(barOf(QStringLiteral("%1.%2 %3")
                                          .arg(reading.earlier.layer)
                                          .arg(reading.earlier.head)
                                          .arg(QLatin1Char(reading.way)),
                                      reading.above));
    card.weightsNote =
        weights->readings.empty()
            ? tr("There are no earlier heads to read from.")
            : tr("Composition into queries (Q), keys (K) or values (V), above the %1 of random "
                 "heads.")
                  .arg(number(weights->baseline, 3));
}

} // namespace headscope::ui
