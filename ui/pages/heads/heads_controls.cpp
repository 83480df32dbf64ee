#include "ui/pages/heads/heads_controls.h"

#include "ui/pages/heads/head_measurement.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/part_bar.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>
#include <set>

namespace headscope::ui {

namespace {

constexpr int kTops[] = {0, 10, 20, 50};

TextLabel* rowCaption(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2, parent);
}

/// A list header that cannot be selected.
void addGroup(QComboBox& box, const QString& name)
{
    box.addItem(name);
    auto* items = qobject_cast<QStandardItemModel*>(box.model());
    items->item(box.count() - 1)->setEnabled(false);
}

struct ScoreGroup
{
    const char* name;
    std::vector<HeadScore> scores;
};

/// Scores without a group come last within their kind.
std::vector<ScoreGroup> scoreGroups()
{
    using enum HeadScore;
    std::vector<ScoreGroup> groups = {
        {QT_TRANSLATE_NOOP("Heads", "Copying earlier tokens"),
         {InductionStripe, InductionOnText, InductionFraction, InductionMatch, PrefixMatching,
          DuplicateStripe, DuplicateFraction}},
        {QT_TRANSLATE_NOOP("Heads", "Where it attends"),
         {PreviousToken, PreviousTokenFraction, Self, FirstToken, Sink, Distance,
          DistanceVariance}},
        {QT_TRANSLATE_NOOP("Heads", "How attention spreads"),
         {Entropy, NormalisedEntropy, Variability}},
        {QT_TRANSLATE_NOOP("Heads", "Weights alone"), {Copying}}};
    std::set<HeadScore> grouped;
    for (const ScoreGroup& group : groups)
        grouped.insert(group.scores.begin(), group.scores.end());
    for (const HeadScoreInfo& info : headScoreInfos())
        if (!grouped.contains(info.score))
            groups[info.needs == HeadScoreNeeds::Weights         ? 3
                   : info.needs == HeadScoreNeeds::RandomRepeats ? 0
                                                                 : 1]
                .scores.push_back(info.score);
    return groups;
}

} // namespace

HeadsControls::HeadsControls(Session& session, HeadMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_score(new ChoiceBox(this))
    , m_label(new ChoiceBox(this))
    , m_top(new ChoiceBox(this))
    , m_measured(new SegmentBar(this))
    , m_images(new SegmentBar(this))
    , m_variant(new VariantBar(session, this))
    , m_part(new PartBar(session, this))
    , m_status(caption({}, this))
    , m_cancel(new QPushButton(this))
{
    m_cancel->setProperty("role", "link");
    m_cancel->hide();
    columnOf(8, {makeScoreRow(), makeMeasureRow(), makeRunRow()}, this);
    connectFilters();
    connectMeasuring();
}

/// Aligns both rows of choices.
int HeadsControls::captionsWidth() const
{
    const QFontMetrics metrics(Theme::of(*this).font(TextRole::Body));
    return std::max(metrics.horizontalAdvance(tr("Find heads by")),
                    metrics.horizontalAdvance(tr("Measured on"))) +
           4;
}

void HeadsControls::fillScores()
{
    for (const ScoreGroup& group : scoreGroups()) {
        addGroup(*m_score, QCoreApplication::translate("Heads", group.name));
        for (const HeadScore score : group.scores) {
            m_score->addItem(scoreTitle(score), static_cast<int>(score));
            m_score->setItemData(m_score->count() - 1, scoreMeaning(score), Qt::ToolTipRole);
        }
    }
}

QLayout* HeadsControls::makeScoreRow()
{
    fillScores();
    m_score->setPurpose(tr("Find heads by"));
    m_score->setMaxVisibleItems(24);
    m_label->setPurpose(tr("Heads by behaviour"));
    m_label->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_top->setPurpose(tr("Number of heads"));
    for (const int top : kTops)
        m_top->addItem(top == 0 ? tr("All heads") : tr("First %1").arg(top), top);
    TextLabel* words = rowCaption(tr("Find heads by"), this);
    words->setMinimumWidth(captionsWidth());
    return rowOf(12, {words, m_score, m_label, m_top, Placed::space()});
}

QLayout* HeadsControls::makeMeasureRow()
{
    m_measured->setSegments({{tr("This text"), tr("Measure on the current sentence")},
                             {tr("Random repeats"), tr("Measure on a repeated sequence of "
                                                       "random tokens, which only a copying "
                                                       "head can predict")}});
    m_measured->setAccessibleName(tr("Measured on"));
    m_images->setSegments(
        {{tr("Map"), tr("Layers down, heads across")},
         {tr("Similar heads"), tr("Nearby heads attend to the same tokens of this text")}});
    m_images->setAccessibleName(tr("Map type"));
    TextLabel* words = rowCaption(tr("Measured on"), this);
    words->setMinimumWidth(captionsWidth());
    m_status->setObjectName("status");
    return rowOf(12, {words, m_measured, m_images, m_status, m_cancel, Placed::space()});
}

QLayout* HeadsControls::makeRunRow()
{
    return rowOf(12, {m_variant, m_part, Placed::space()});
}

void HeadsControls::connectFilters()
{
    connect(m_score, &QComboBox::activated, this, [this](int index) {
        if (const QVariant score = m_score->itemData(index); score.isValid())
            choose(static_cast<HeadScore>(score.toInt()));
    });
    connect(m_label, &QComboBox::activated, this, [this](int index) {
        const QVariant label = m_label->itemData(index);
        m_choice.label = label.isValid() ? std::optional(static_cast<HeadLabelKind>(label.toInt()))
                                         : std::nullopt;
        emit choiceChanged();
    });
    connect(m_top, &QComboBox::activated, this, [this](int index) {
        m_choice.top = m_top->itemData(index).toInt();
        emit choiceChanged();
    });
    connect(m_images, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.similar = index == 1;
        emit choiceChanged();
    });
}

void HeadsControls::connectMeasuring()
{
    connect(m_measured, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.onProbe = index == 1;
        followText();
        if (m_choice.onProbe)
            m_measurement.startSurvey();
        emit choiceChanged();
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_measurement.isSurveying())
            m_measurement.cancelSurvey();
        else
            m_measurement.startSurvey();
        emit choiceChanged();
    });
    connect(&m_measurement, &HeadMeasurement::surveyProgressed, this,
            &HeadsControls::refreshStatus);
}

void HeadsControls::setChoice(const HeadsChoice& choice, bool isScoreChosen)
{
    m_choice = choice;
    m_isScoreChosen = isScoreChosen;
}

void HeadsControls::choose(HeadScore score)
{
    m_isScoreChosen = true;
    m_choice.rising = score == m_choice.score && !m_choice.rising;
    m_choice.score = score;
    if (infoOf(score).needs != HeadScoreNeeds::Text)
        m_measurement.startSurvey();
    emit choiceChanged();
}

void HeadsControls::chooseColumn(int column)
{
    m_isScoreChosen = true;
    if (column == sortedColumn(m_measurement.measured(), m_choice)) {
        m_choice.rising = !m_choice.rising;
    } else {
        m_choice.onProbe = column == 1;
        m_choice.rising = false;
    }
    if (m_choice.onProbe)
        m_measurement.startSurvey();
    emit choiceChanged();
}

void HeadsControls::followText()
{
    if (m_isScoreChosen)
        return;
    m_choice.score = HeadScore::InductionStripe;
    for (const HeadScore score : {HeadScore::PreviousToken, HeadScore::NormalisedEntropy})
        if (!m_choice.onProbe &&
            !whyUndefined(sortedBy(m_measurement.measured(), m_choice)).isEmpty())
            m_choice.score = score;
}

void HeadsControls::refresh()
{
    refreshChoices();
    refreshLabels();
    refreshStatus();
}

void HeadsControls::refreshChoices()
{
    m_score->setCurrentIndex(m_score->findData(static_cast<int>(m_choice.score)));
    m_top->setCurrentIndex(std::max(m_top->findData(m_choice.top), 0));
    m_measured->setCurrent(m_choice.onProbe ? 1 : 0);
    const bool twoColumns = headsColumns(m_measurement.measured(), m_choice.score).size() > 1;
    m_measured->setEnabled(twoColumns);
    m_images->setCurrent(m_choice.similar ? 1 : 0);
}

/// Only labels that a head has, and the selected one.
void HeadsControls::refreshLabels()
{
    const HeadLabelTable* labels = m_measurement.measured().labels;
    m_label->clear();
    m_label->addItem(tr("Any role"));
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
}

void HeadsControls::refreshStatus()
{
    const bool surveying = m_measurement.isSurveying();
    m_cancel->setVisible(surveying || m_measurement.offersSurvey());
    m_cancel->setText(surveying ? tr("Cancel") : tr("Measure standard texts"));
    const HeadsMeasured measured = m_measurement.measured();
    const auto heads = static_cast<long long>(rankedHeads(measured, m_choice).size());
    const auto shown = static_cast<long long>(shownHeads(measured, m_choice).size());
    if (surveying)
        m_status->setText(
            tr("measuring standard texts: %1 %").arg(qRound(100.0 * m_measurement.progress())));
    else if (!m_measurement.problem().isEmpty())
        m_status->setText(m_measurement.problem());
    else if (!m_session.text().isEmpty() && !m_measurement.isTextScored())
        m_status->setText(tr("measuring"));
    else if (shown < heads)
        m_status->setText(tr("%1 of %2 heads").arg(count(shown), count(heads)));
    else
        m_status->setText(heads > 0 ? tr("%1 heads scored").arg(count(heads)) : QString());
}

} // namespace headscope::ui
