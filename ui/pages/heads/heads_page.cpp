#include "ui/pages/heads/heads_page.h"

#include "ui/pages/shared/choice_bars.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/heads/head_card.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kCardWidth = 352;
constexpr int kTops[] = {0, 10, 20, 50};

TextLabel* rowCaption(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2, parent);
}

/// A line of the list that names what follows and cannot be chosen.
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

const std::vector<ScoreGroup>& scoreGroups()
{
    using enum HeadScore;
    static const std::vector<ScoreGroup> groups = {
        {QT_TRANSLATE_NOOP("Heads", "Copying what came before"),
         {InductionStripe, InductionOnText, InductionFraction, InductionMatch, PrefixMatching,
          DuplicateStripe, DuplicateFraction}},
        {QT_TRANSLATE_NOOP("Heads", "Where it looks"),
         {PreviousToken, PreviousTokenFraction, Self, FirstToken, Sink, Distance,
          DistanceVariance}},
        {QT_TRANSLATE_NOOP("Heads", "How it spreads"), {Entropy, NormalisedEntropy, Variability}},
        {QT_TRANSLATE_NOOP("Heads", "Weights alone"), {Copying}}};
    return groups;
}

} // namespace

HeadsPage::HeadsPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_score(new ChoiceBox(this))
    , m_label(new ChoiceBox(this))
    , m_top(new ChoiceBox(this))
    , m_measured(new SegmentBar(this))
    , m_pictures(new SegmentBar(this))
    , m_run(new SegmentBar(this))
    , m_part(new SegmentBar(this))
    , m_status(caption({}, this))
    , m_cancel(new QPushButton(this))
    , m_grid(new HeadGridWidget(this))
    , m_plane(new PointMapWidget(this))
    , m_legend(new ColourBar(this))
    , m_meaning(caption({}, this))
    , m_table(new ScoreTable(this))
    , m_card(new HeadCard(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_grid->setAccessibleName(tr("Map of scores"));
    m_plane->setAccessibleName(tr("Map of heads that behave alike"));
    m_meaning->setWordWrap(true);
    m_cancel->setProperty("role", "link");
    m_cancel->hide();
    m_card->setFixedWidth(kCardWidth);
    m_table->setNameTitle(tr("Head, and what it does"));
    m_later.setSingleShot(true);
    m_later.setInterval(400);
    auto* column = new QVBoxLayout;
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(8);
    column->addLayout(makeScoreRow());
    column->addLayout(makeMeasureRow());
    auto* shown = new QHBoxLayout;
    shown->setSpacing(12);
    shown->addWidget(m_run);
    shown->addWidget(m_part);
    shown->addStretch(1);
    column->addLayout(shown);
    column->addSpacing(8);
    column->addWidget(makePicture(), 1);
    auto* page = new QHBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addLayout(column, 1);
    page->addWidget(new Hairline(Qt::Vertical, this));
    page->addWidget(m_card);
    connectChoices();
    connectHeads();
    connectCard();
    connectScorer();
}

/// Both rows of choices begin at one line.
int HeadsPage::captionsWidth() const
{
    const QFontMetrics metrics(Theme::of(*this).font(TextRole::Body));
    return std::max(metrics.horizontalAdvance(tr("Find heads by")),
                    metrics.horizontalAdvance(tr("Measured on"))) +
           4;
}

void HeadsPage::fillScores()
{
    for (const ScoreGroup& group : scoreGroups()) {
        addGroup(*m_score, QCoreApplication::translate("Heads", group.name));
        for (const HeadScore score : group.scores) {
            m_score->addItem(scoreTitle(score), static_cast<int>(score));
            m_score->setItemData(m_score->count() - 1, scoreMeaning(score), Qt::ToolTipRole);
        }
    }
}

QLayout* HeadsPage::makeScoreRow()
{
    fillScores();
    m_score->setPurpose(tr("Find heads by"));
    m_score->setMaxVisibleItems(24);
    m_label->setPurpose(tr("Heads by what they do"));
    m_label->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_top->setPurpose(tr("How many heads"));
    for (const int top : kTops)
        m_top->addItem(top == 0 ? tr("All heads") : tr("First %1").arg(top), top);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    TextLabel* words = rowCaption(tr("Find heads by"), this);
    words->setMinimumWidth(captionsWidth());
    row->addWidget(words);
    row->addWidget(m_score);
    row->addWidget(m_label);
    row->addWidget(m_top);
    row->addStretch(1);
    return row;
}

QLayout* HeadsPage::makeMeasureRow()
{
    m_measured->setSegments({{tr("This text"), tr("On the sentence above, as it is shown")},
                             {tr("Random repeats"), tr("On random tokens said twice: only a head "
                                                       "that copies can know what comes next")}});
    m_measured->setAccessibleName(tr("Measured on"));
    m_pictures->setSegments(
        {{tr("Map"), tr("Layers down, heads across")},
         {tr("Similar heads"), tr("Near heads look at the same tokens of this text")}});
    m_pictures->setAccessibleName(tr("Picture"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    TextLabel* words = rowCaption(tr("Measured on"), this);
    words->setMinimumWidth(captionsWidth());
    row->addWidget(words);
    row->addWidget(m_measured);
    row->addWidget(m_pictures);
    row->addWidget(m_status);
    row->addWidget(m_cancel);
    row->addStretch(1);
    return row;
}

QWidget* HeadsPage::makePicture()
{
    m_picture = new QWidget(this);
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(m_grid, 1);
    left->addWidget(m_plane, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    right->addWidget(m_table, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(32);
    m_legend->setFixedWidth(284);
    below->addWidget(m_legend, 0, Qt::AlignTop);
    below->addWidget(m_meaning, 1, Qt::AlignTop);
    right->addLayout(below);
    auto* row = new QHBoxLayout(m_picture);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(32);
    row->addLayout(left);
    row->addLayout(right, 1);
    m_plane->hide();
    m_empty = new EmptyState(m_picture);
    return m_picture;
}

void HeadsPage::connectChoices()
{
    connect(m_score, &QComboBox::activated, this, [this](int index) {
        if (const QVariant score = m_score->itemData(index); score.isValid())
            choose(static_cast<HeadScore>(score.toInt()));
    });
    connect(m_label, &QComboBox::activated, this, [this](int index) {
        const QVariant label = m_label->itemData(index);
        m_choice.label = label.isValid() ? std::optional(static_cast<HeadLabelKind>(label.toInt()))
                                         : std::nullopt;
        refreshAll();
    });
    connect(m_top, &QComboBox::activated, this, [this](int index) {
        m_choice.top = m_top->itemData(index).toInt();
        refreshAll();
    });
    connect(m_measured, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.onProbe = index == 1;
        beginWithAScore();
        if (m_choice.onProbe)
            startSurvey();
        refreshAll();
    });
    connect(m_pictures, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.similar = index == 1;
        refreshAll();
    });
    setUpRuns(*m_run);
    connect(m_run, &SegmentBar::currentChanged, this,
            [this](int index) { session().setShownRun(static_cast<Run>(index)); });
    connect(m_part, &SegmentBar::currentChanged, this,
            [this](int segment) { session().activatePart(partAt(session().looking(), segment)); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_scorer.isSurveying())
            m_scorer.cancelSurvey();
        else
            startSurvey();
        refreshAll();
    });
    connect(&m_later, &QTimer::timeout, this, [this] {
        startSurvey();
        refreshAll();
    });
}

void HeadsPage::connectHeads()
{
    connect(m_table, &ScoreTable::columnChosen, this, &HeadsPage::chooseColumn);
    connect(m_grid, &HeadGridWidget::headActivated, this,
            [this](HeadIndex index) { session().activateHead(index.layer, index.head); });
    connect(m_grid, &HeadGridWidget::headOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    m_grid->setToolTipText([this](HeadIndex index) { return toolTipOf(index); });
    connect(m_plane, &PointMapWidget::pointActivated, this, [this](int point) {
        const HeadAt head = m_likeness->headAt(static_cast<std::size_t>(point));
        session().activateHead(head.layer, head.head);
    });
    connect(m_plane, &PointMapWidget::pointOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    m_plane->setToolTipText([this](int point) {
        const HeadAt head = m_likeness->headAt(static_cast<std::size_t>(point));
        return tr("Head %1.%2\n%3").arg(head.layer).arg(head.head).arg(toolTipOf(indexOf(head)));
    });
    connect(m_table, &ScoreTable::rowActivated, this, [this](int row) {
        const HeadAt head = m_shown[static_cast<std::size_t>(row)];
        session().activateHead(head.layer, head.head);
    });
    connect(m_table, &ScoreTable::rowOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
}

void HeadsPage::connectCard()
{
    connect(m_card, &HeadCard::openWanted, this, &HeadsPage::openHead);
    connect(m_card, &HeadCard::offWanted, this,
            [this](bool off) { session().setHeadOff(session().activeHead(), off); });
    connect(m_card, &HeadCard::labelChosen, this, [this](int label) {
        m_evidence = m_evidence == label ? -1 : label;
        m_evidenceOf = selected();
        refreshCard();
    });
    connect(m_card, &HeadCard::alikeChosen, this, [this](int row) {
        const auto near = m_likeness->nearest(placeOf(selected()), 5);
        const HeadAt head = near.at(static_cast<std::size_t>(row)).head;
        session().activateHead(head.layer, head.head);
    });
    connect(m_card, &HeadCard::readingChosen, this, [this](int row) {
        const HeadAt head = m_weights->readings.at(static_cast<std::size_t>(row)).earlier;
        session().activateHead(head.layer, head.head);
    });
    connect(m_card, &HeadCard::sheetChanged, this, [this] {
        readWeights();
        refreshCard();
    });
}

void HeadsPage::connectScorer()
{
    connect(&m_scorer, &HeadScorer::traceScored, this, [this](const ScoredText& scored) {
        m_text = scored;
        beginWithAScore();
        compareText();
        refreshAll();
    });
    connect(&m_scorer, &HeadScorer::compared, this, [this](const HeadLikenessPtr& likeness) {
        m_likeness = likeness;
        refreshAll();
    });
    connect(&m_scorer, &HeadScorer::weightsRead, this, [this](const HeadWeightsPtr& weights) {
        m_weights = weights;
        refreshCard();
    });
    connect(&m_scorer, &HeadScorer::surveyProgressed, this, [this](double fraction) {
        m_progress = fraction;
        refreshStatus();
    });
    connect(&m_scorer, &HeadScorer::surveyed, this, [this](const SurveyedModel& surveyed) {
        m_surveyed = surveyed;
        m_problem.clear();
        refreshAll();
    });
    connect(&m_scorer, &HeadScorer::surveyFailed, this, [this](const QString& sentence) {
        m_problem = sentence.isEmpty() ? tr("Cancelled.") : sentence;
        refreshAll();
    });
}

QString HeadsPage::toolTipOf(HeadIndex index) const
{
    const HeadsColumn column = sortedBy(measured(), m_choice);
    const double value = column.at(index);
    QString text = tr("%1 %2").arg(scoreTitle(column.score), scoreText(column.score, value));
    if (column.table && !std::isnan(value)) {
        const auto order = column.table->ranked(column.score, m_choice.rising);
        const auto found = std::find(order.begin(), order.end(), placeOf(index));
        text += tr(", rank %1 of %2").arg(found - order.begin() + 1).arg(order.size());
    }
    const QString words = labelWords(measured().labels, placeOf(index));
    return words.isEmpty() ? text : text + QLatin1Char('\n') + words;
}

QString HeadsPage::status() const
{
    return m_status->text();
}

HeadIndex HeadsPage::selected() const
{
    return {session().selection().layer, session().selection().head};
}

HeadFamily HeadsPage::family() const
{
    return familyOf(session().selection().part);
}

Figure HeadsPage::figure() const
{
    return headsFigure(session().looking(), m_choice, measured(), m_likeness);
}

void HeadsPage::focusMain()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

/// A score that nobody has chosen or seen yet is left to the text, there as here.
QJsonObject HeadsPage::options() const
{
    QJsonObject options = toJson(m_choice);
    if (!m_chosen && !isSettled())
        options.remove(QLatin1String("sort"));
    options.insert(QStringLiteral("sheet"), m_card->sheet());
    return options;
}

void HeadsPage::setOptions(const QJsonObject& options)
{
    m_choice = headsChoice(options);
    m_chosen = options.contains(QLatin1String("sort"));
    m_card->setSheet(options.value(QLatin1String("sheet")).toInt());
    measure();
    refreshAll();
}

QString HeadsPage::hint() const
{
    return tr("Arrows choose head and column \u00B7 Space turns the order \u00B7 Enter opens "
              "\u00B7 Ctrl+Enter: the weight's origin");
}

bool HeadsPage::escape()
{
    const bool surveying = m_scorer.isSurveying();
    m_scorer.cancelSurvey();
    return surveying;
}

void HeadsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    limitGrid();
}

/// One value a head needs no more than a small square; the table has the rest.
void HeadsPage::limitGrid()
{
    constexpr double kSquare = 20.0;
    constexpr double kAround = 60.0; // numbers and brackets above, gaps
    const Theme theme = Theme::of(*this);
    const double high =
        (m_picture->height() - kAround * theme.scale()) / std::max(m_grid->content().layers, 1);
    const double square = std::clamp(high - 2.0, 8.0, kSquare * theme.scale());
    const double wanted = headGridSize(m_grid->content(), theme, square).width();
    const int room = width() * 30 / 100;
    m_grid->setMaximumWidth(
        std::max(std::min(qRound(wanted), room), m_grid->minimumSizeHint().width()));
    m_plane->setFixedWidth(std::max(width() * 26 / 100, m_plane->minimumSizeHint().width()));
    m_legend->setFixedWidth(m_choice.similar ? 232 : 284);
}

} // namespace headscope::ui
