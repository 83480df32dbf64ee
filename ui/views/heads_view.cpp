#include "ui/views/heads_view.h"

#include "ui/views/choice_bars.h"
#include "ui/views/empty_state.h"
#include "ui/views/head_card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segments.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kCardWidth = 312;

TextLabel* rowCaption(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2, parent);
}

} // namespace

HeadsView::HeadsView(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_score(new SegmentBar(this))
    , m_measured(new SegmentBar(this))
    , m_part(new SegmentBar(this))
    , m_status(caption({}, this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_grid(new HeadGridWidget(this))
    , m_legend(new ColourBar(this))
    , m_meaning(caption({}, this))
    , m_table(new ScoreTable(this))
    , m_card(new HeadCard(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_grid->setAccessibleName(tr("Map of scores"));
    m_meaning->setWordWrap(true);
    m_cancel->setProperty("role", "link");
    m_cancel->hide();
    m_card->setFixedWidth(kCardWidth);
    auto* column = new QVBoxLayout;
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(8);
    column->addLayout(makeScoreRow());
    column->addLayout(makeMeasureRow());
    column->addSpacing(8);
    column->addWidget(makePicture(), 1);
    auto* page = new QHBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addLayout(column, 1);
    page->addWidget(new Hairline(Qt::Vertical, this));
    page->addWidget(m_card);
    connectWidgets();
    connectScorer();
}

/// Both rows of buttons begin at one line.
int HeadsView::captionsWidth() const
{
    const QFontMetrics metrics(Theme::of(*this).font(TextRole::Body));
    return std::max(metrics.horizontalAdvance(tr("Find heads by")),
                    metrics.horizontalAdvance(tr("Measured on"))) +
           4;
}

QLayout* HeadsView::makeScoreRow()
{
    std::vector<Segment> segments;
    for (int score = 0; score < kHeadScores; ++score)
        segments.push_back({scoreTitle(static_cast<HeadScore>(score)),
                            scoreMeaning(static_cast<HeadScore>(score))});
    m_score->setSegments(segments);
    m_score->setAccessibleName(tr("Find heads by"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    TextLabel* words = rowCaption(tr("Find heads by"), this);
    words->setMinimumWidth(captionsWidth());
    row->addWidget(words);
    row->addWidget(m_score);
    row->addStretch(1);
    return row;
}

QLayout* HeadsView::makeMeasureRow()
{
    m_measured->setSegments({{tr("This text"), tr("On the sentence above, as it is shown")},
                             {tr("Random repeats"), tr("On random tokens said twice: only a head "
                                                       "that copies can know what comes next")}});
    m_measured->setAccessibleName(tr("Measured on"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    TextLabel* words = rowCaption(tr("Measured on"), this);
    words->setMinimumWidth(captionsWidth());
    row->addWidget(words);
    row->addWidget(m_measured);
    row->addWidget(m_part);
    row->addWidget(m_status);
    row->addWidget(m_cancel);
    row->addStretch(1);
    return row;
}

QWidget* HeadsView::makePicture()
{
    m_picture = new QWidget(this);
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(m_grid, 1);
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
    row->setSpacing(40);
    row->addLayout(left);
    row->addLayout(right, 1);
    m_empty = new EmptyState(m_picture);
    return m_picture;
}

void HeadsView::connectWidgets()
{
    connect(m_score, &SegmentBar::currentChanged, this,
            [this](int index) { choose(static_cast<HeadScore>(index)); });
    connect(m_table, &ScoreTable::columnChosen, this,
            [this](int column) { choose(static_cast<HeadScore>(column)); });
    connect(m_measured, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.onProbe = index == 1;
        if (!m_chosen && m_choice.onProbe)
            m_choice.score = HeadScore::Induction;
        beginWithAScore();
        m_cancelled = false;
        measure();
        refreshAll();
    });
    connect(m_part, &SegmentBar::currentChanged, this,
            [this](int segment) { session().activatePart(partAt(session().looking(), segment)); });
    connect(m_cancel, &QPushButton::clicked, &m_scorer, &HeadScorer::cancelProbe);
    connect(m_grid, &HeadGridWidget::headActivated, this,
            [this](HeadIndex index) { session().activateHead(index.layer, index.head); });
    connect(m_grid, &HeadGridWidget::headOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    m_grid->setToolTipText([this](HeadIndex index) {
        return tr("%1 %2").arg(scoreTitle(m_choice.score),
                               scoreText(m_choice.score, scores().at(index, m_choice.score)));
    });
    connect(m_table, &ScoreTable::rowActivated, this, [this](int row) {
        const HeadIndex index = m_order[static_cast<std::size_t>(row)];
        session().activateHead(index.layer, index.head);
    });
    connect(m_table, &ScoreTable::rowOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    connect(m_card, &HeadCard::openWanted, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    connect(m_card, &HeadCard::offWanted, this,
            [this](bool off) { session().setHeadOff(session().activeHead(), off); });
}

void HeadsView::connectScorer()
{
    connect(&m_scorer, &HeadScorer::traceScored, this,
            [this](const TracePtr& trace, const HeadScoreTables& tables) {
                m_scored = trace;
                m_text = tables;
                beginWithAScore();
                refreshAll();
            });
    connect(&m_scorer, &HeadScorer::probeProgressed, this, [this](int done, int of) {
        m_progress = tr("measuring: %1 of %2 texts").arg(done).arg(of);
        refreshStatus();
    });
    connect(&m_scorer, &HeadScorer::probed, this, [this](const ProbePtr& probe) {
        m_probe = probe;
        m_progress.clear();
        refreshAll();
    });
    connect(&m_scorer, &HeadScorer::probeFailed, this, [this](const QString& sentence) {
        m_cancelled = true;
        m_progress = sentence.isEmpty() ? tr("Cancelled.") : sentence;
        refreshAll();
    });
}

/// Asks for what is wanted and not there yet.
void HeadsView::measure()
{
    const Looking looking = session().looking();
    if (!m_choice.onProbe) {
        m_scorer.cancelProbe();
        m_cancelled = false;
        m_progress.clear();
        if (looking.trace() == m_scoring)
            return;
        m_scoring = looking.trace();
        m_scorer.scoreTrace(m_scoring);
        return;
    }
    if (looking.model().model != m_probedModel)
        m_probe.reset();
    const bool running = m_scorer.isProbing() && looking.model().model == m_probedModel;
    if (m_probe || m_cancelled || !looking.model().model || running)
        return;
    m_probedModel = looking.model().model;
    m_scorer.probe(looking.model());
}

/// Until someone chooses: induction, or on a text without repeats a score that it has.
void HeadsView::beginWithAScore()
{
    if (m_chosen || m_choice.onProbe)
        return;
    const AttentionPart part = session().selection().part;
    m_choice.score = HeadScore::Induction;
    for (HeadScore score : {HeadScore::PreviousToken, HeadScore::Entropy})
        if (!scores().isEmpty() && !whyUndefined(scores(), m_choice, part).isEmpty())
            m_choice.score = score;
}

void HeadsView::choose(HeadScore score)
{
    m_chosen = true;
    m_choice.rising = score == m_choice.score && !m_choice.rising;
    m_choice.score = score;
    refreshAll();
}

const HeadScoreTable& HeadsView::scores() const
{
    static const HeadScoreTable kNone;
    if (m_choice.onProbe ? !m_probe : session().text().isEmpty())
        return kNone;
    const HeadScoreTables& tables = m_choice.onProbe ? m_probe->tables : m_text;
    const auto found = tables.find(session().selection().part);
    return found != tables.end() ? found->second : kNone;
}

QString HeadsView::status() const
{
    return m_status->text();
}

HeadIndex HeadsView::selected() const
{
    return {session().selection().layer, session().selection().head};
}

Figure HeadsView::figure() const
{
    return headsFigure(session().looking(), m_choice, scores());
}

void HeadsView::focusMain()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

/// A score that nobody has chosen or seen yet is left to the text, there as here.
QJsonObject HeadsView::options() const
{
    QJsonObject options = toJson(m_choice);
    if (!m_chosen && !isSettled())
        options.remove(QLatin1String("sort"));
    return options;
}

void HeadsView::setOptions(const QJsonObject& options)
{
    m_choice = headsChoice(options);
    m_chosen = options.contains(QLatin1String("sort"));
    measure();
    refreshAll();
}

QString HeadsView::hint() const
{
    return tr("Arrows choose head and score \u00B7 Space turns the order \u00B7 Enter opens \u00B7 "
              "Ctrl+Enter: the weight's origin");
}

bool HeadsView::isSettled() const
{
    return m_choice.onProbe ? !m_scorer.isProbing() : m_scored == session().shownTrace();
}

bool HeadsView::escape()
{
    const bool probing = m_scorer.isProbing();
    m_scorer.cancelProbe();
    return probing;
}

void HeadsView::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    limitGrid();
}

/// One value a head needs no more than a small square; the table has the rest.
void HeadsView::limitGrid()
{
    constexpr double kSquare = 20.0;
    const Theme theme = Theme::of(*this);
    const double wanted = headGridSize(m_grid->content(), theme, kSquare * theme.scale()).width();
    m_grid->setMaximumWidth(
        std::max(std::min(qRound(wanted), width() * 30 / 100), m_grid->minimumSizeHint().width()));
}

void HeadsView::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model)) {
        m_text.clear(); // of another model's heads
        m_scoring.reset();
        m_scored.reset();
        m_scorer.cancelProbe();
        m_cancelled = false;
    }
    measure();
    refreshAll();
}

void HeadsView::refreshAll()
{
    const Looking looking = session().looking();
    refreshParts(*m_part, looking);
    m_score->setCurrent(static_cast<int>(m_choice.score));
    m_measured->setCurrent(m_choice.onProbe ? 1 : 0);
    m_grid->setContent(scoreGrid(looking, scores(), m_choice.score));
    limitGrid();
    m_legend->setContent(scoreLegend(looking, scores(), m_choice.score));
    const QString why = scores().isEmpty()
                            ? QString()
                            : whyUndefined(scores(), m_choice, session().selection().part);
    m_meaning->setText(why.isEmpty() ? scoreMeaning(m_choice.score) : why);
    refreshTable();
    refreshCard();
    refreshStatus();
    refreshEmptyState();
}

void HeadsView::refreshTable()
{
    m_order = scores().ranked(m_choice.score, m_choice.rising);
    const bool otherColumn =
        m_table->columns().empty() || m_table->sortedColumn() != static_cast<int>(m_choice.score);
    if (otherColumn)
        m_table->setColumns(scoreColumns(scores(), m_choice.score));
    const int groups =
        session().looking().model().model
            ? static_cast<int>(session().looking().model().model->config().keyHeadCount())
            : 0;
    m_table->setSorted(static_cast<int>(m_choice.score), m_choice.rising);
    m_table->setRows(scoreRows(scores(), m_order, groups));
    const auto found = std::find(m_order.begin(), m_order.end(), selected());
    m_table->setCurrentRow(found != m_order.end() ? static_cast<int>(found - m_order.begin()) : -1);
}

} // namespace headscope::ui
