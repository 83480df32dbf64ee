#include "ui/pages/overview/overview_page.h"

#include "ui/pages/shared/choice_bars.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

/// By which a grid is worth sorting; the page of all heads has every score.
constexpr HeadScore kSorts[] = {HeadScore::InductionOnText, HeadScore::DuplicateFraction,
                                HeadScore::PreviousToken,   HeadScore::FirstToken,
                                HeadScore::Entropy,         HeadScore::Distance};

} // namespace

OverviewPage::OverviewPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_gridCaption(caption({}, this))
    , m_part(new SegmentBar(this))
    , m_sort(new ChoiceBox(this))
    , m_grid(new HeadGridWidget(this))
    , m_run(new SegmentBar(this))
    , m_kind(new SegmentBar(this))
    , m_map(new LegendMap(this))
    , m_empty(new EmptyState(&m_map->map()))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_grid->setAccessibleName(tr("All heads"));
    m_map->map().setAccessibleName(tr("Who looks at whom"));
    m_map->map().setZoomable(true);
    setUpRuns(*m_run);
    setUpKinds(*m_kind);
    m_sort->setPurpose(tr("Order of the heads"));
    m_sort->addItem(tr("In the model's order"));
    for (const HeadScore score : kSorts)
        m_sort->addItem(tr("Sort by %1").arg(scoreInSentence(score)), scoreKey(score));
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(24, 16, 24, 16);
    columns->setSpacing(40);
    columns->addLayout(makeGridColumn());
    columns->addLayout(makeMapColumn(), 1);
    connectWidgets();
}

QLayout* OverviewPage::makeGridColumn()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    auto* title = heading(tr("All heads"), this);
    title->setMinimumHeight(28);
    column->addWidget(title);
    column->addWidget(m_gridCaption);
    column->addSpacing(8);
    column->addWidget(m_part, 0, Qt::AlignLeft);
    column->addWidget(m_sort, 0, Qt::AlignLeft);
    column->addSpacing(8);
    column->addWidget(m_grid, 1);
    return column;
}

QLayout* OverviewPage::makeMapColumn()
{
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(heading(tr("Who looks at whom"), this));
    top->addStretch(1);
    top->addWidget(m_run);
    top->addWidget(m_kind);
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addLayout(top);
    column->addWidget(m_map, 1);
    return column;
}

void OverviewPage::connectWidgets()
{
    connect(m_grid, &HeadGridWidget::headActivated, this,
            [this](GridCell index) { session().view().activateHead(index.layer, index.head); });
    connect(m_grid, &HeadGridWidget::headOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    connect(&m_map->map(), &HeatmapWidget::cellActivated, this, [this](HeatmapCell cell) {
        const TokenPair pair = m_map->pairAt(cell);
        session().view().selectPair(pair.query, pair.key);
    });
    connect(&m_map->map(), &HeatmapWidget::currentClicked, this, [this](HeatmapCell cell) {
        const TokenPair pair = m_map->pairAt(cell);
        if (session().selection().pinned)
            session().view().releasePair(); // a second click undoes the first
        else
            session().view().selectPair(pair.query, pair.key);
    });
    connect(&m_map->map(), &HeatmapWidget::cellOpened, this, [this](HeatmapCell cell) {
        const Looking looking = session().looking();
        if (const auto number = mapNumber(looking, looking.shown, mapKind(), cell))
            emit numberWanted(*number);
    });
    connect(m_part, &SegmentBar::currentChanged, this, [this](int segment) {
        session().view().activatePart(partAt(session().looking(), segment));
    });
    connect(m_sort, &QComboBox::currentIndexChanged, this, [this] {
        scoreWhenSorted();
        refreshGrid(session().looking());
    });
    connect(&m_scorer, &HeadScorer::traceScored, this, [this](const ScoredText& scored) {
        m_scored = scored.trace;
        m_scores = scored.tables;
        refreshGrid(session().looking());
    });
    connect(m_kind, &SegmentBar::currentChanged, this, [this] { refreshMap(session().looking()); });
    connect(m_run, &SegmentBar::currentChanged, this,
            [this](int index) { session().view().setShownVariant(static_cast<Variant>(index)); });
    m_grid->setToolTipText([this](GridCell index) { return toolTipOf(index); });
}

QString OverviewPage::toolTipOf(GridCell index) const
{
    const Looking looking = session().looking();
    if (!looking.trace())
        return {};
    Selection there = looking.selection;
    there.layer = index.layer;
    there.head = index.head;
    const AttentionKind part = there.part;
    const TokenPair pair = resolve(there, *looking.trace());
    const QStringList queries = labelsOf(looking.trace()->queryTokens(part), looking.model());
    const QStringList keys = labelsOf(looking.trace()->keyTokens(part), looking.model());
    QString text = tr("\u201C%1\u201D looks most at \u201C%2\u201D")
                       .arg(queries.value(pair.query), keys.value(pair.key));
    const auto sort = sortedBy();
    if (const HeadScoreTable* table = tableOf(part); table && sort)
        text += QLatin1Char('\n') +
                tr("%1 %2").arg(scoreTitle(*sort),
                                scoreText(*sort, table->at(index.layer, index.head, *sort)));
    return text;
}

const HeatmapWidget& OverviewPage::map() const
{
    return m_map->map();
}

MapKind OverviewPage::mapKind() const
{
    return static_cast<MapKind>(m_kind->current());
}

void OverviewPage::focusMain()
{
    m_map->map().setFocus(Qt::OtherFocusReason);
}

Figure OverviewPage::figure() const
{
    const Looking looking = session().looking();
    return gridFigure(looking, sortedBy(), tableOf(looking.selection.part));
}

QJsonObject OverviewPage::options() const
{
    const auto sort = sortedBy();
    return {{QStringLiteral("sort"), sort ? scoreKey(*sort) : QString()},
            {QStringLiteral("kind"), m_kind->current()}};
}

void OverviewPage::setOptions(const QJsonObject& options)
{
    const auto sort = scoreNamed(options.value(QLatin1String("sort")).toString());
    const int found = sort ? m_sort->findData(scoreKey(*sort)) : 0;
    m_sort->setCurrentIndex(std::max(found, 0));
    m_kind->setCurrent(std::clamp(options.value(QLatin1String("kind")).toInt(), 0, 2));
    refreshMap(session().looking());
}

QString OverviewPage::hint() const
{
    return tr("Arrows move \u00B7 Enter opens the head \u00B7 PgUp PgDn change the layer \u00B7 "
              "Ctrl+click: a number's origin");
}

MaybeNumber OverviewPage::numberAt(std::optional<QPoint> place) const
{
    const Looking looking = session().looking();
    if (const auto cell = cellAt(m_map->map(), place))
        return mapNumber(looking, looking.shown, mapKind(), *cell);
    return Page::numberAt(place);
}

bool OverviewPage::escape()
{
    if (m_map->map().resetZoom())
        return true;
    if (!session().selection().pinned)
        return false;
    session().view().releasePair();
    return true;
}

std::optional<HeadScore> OverviewPage::sortedBy() const
{
    return scoreNamed(m_sort->currentData().toString());
}

const HeadScoreTable* OverviewPage::tableOf(AttentionKind part) const
{
    if (!m_scores)
        return nullptr;
    const auto found = m_scores->find(part);
    return found != m_scores->end() ? &found->second : nullptr;
}

void OverviewPage::scoreWhenSorted()
{
    const TracePtr& trace = session().shownTrace();
    if (!sortedBy() || trace == m_scoring)
        return;
    m_scoring = trace;
    m_scorer.scoreTrace(trace);
}

bool OverviewPage::isSettled() const
{
    return !sortedBy() || m_scored == session().shownTrace();
}

void OverviewPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_grid->setMaximumWidth(std::max(width() * 45 / 100, m_grid->minimumSizeHint().width()));
}

void OverviewPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model))
        m_scores.reset(); // of another model's heads
    const Looking looking = session().looking();
    refreshRuns(*m_run, looking);
    refreshParts(*m_part, looking);
    scoreWhenSorted();
    refreshGrid(looking);
    refreshMap(looking);
    refreshEmptyState();
}

void OverviewPage::refreshGrid(const Looking& looking)
{
    const auto sort = sortedBy();
    const std::vector<ThumbnailPtr>* hidden = m_hidden.of(looking);
    HeadGridContent content = gridContent(looking, sort ? tableOf(looking.selection.part) : nullptr,
                                          sort.value_or(HeadScore::InductionOnText), hidden);
    if (session().text().isEmpty()) // nobody looks at anything yet
        std::fill(content.thumbnails.begin(), content.thumbnails.end(), nullptr);
    const QString mark = gridMark(looking, hidden);
    QString words = content.layers > 0 ? gridWords(content, sort) : QString();
    if (!words.isEmpty() && !mark.isEmpty())
        words += QLatin1Char('\n') + mark;
    m_gridCaption->setWordWrap(!mark.isEmpty()); // few heads leave little room
    m_gridCaption->setText(words);
    m_grid->setContent(std::move(content));
}

void OverviewPage::refreshMap(const Looking& looking)
{
    MapWithLegend shown = headMap(looking, {looking.shown, mapKind(), MapScale::Absolute, false});
    if (session().text().isEmpty())
        shown.map.matrix = {};
    m_map->setShown(std::move(shown));
}

void OverviewPage::refreshEmptyState()
{
    const bool noModel = session().models().isBlank();
    m_empty->setVisible(noModel || session().text().isEmpty());
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else
        m_empty->askForText(session(), tr("Type a sentence above: attention follows every key."));
}

PageDescriptor OverviewPage::descriptor()
{
    return {.name = "overview",
            .title = tr("Overview"),
            .icon = "<rect x='2.75' y='2.75' width='5.5' height='5.5' rx='1'/><rect x='11.75' "
                    "y='2.75' width='5.5' height='5.5' rx='1'/><rect x='2.75' y='11.75' "
                    "width='5.5' height='5.5' rx='1'/><rect x='11.75' y='11.75' width='5.5' "
                    "height='5.5' rx='1' fill='@'/>",
            .help = tr("All heads at once, one row a layer. Choose one to see it large: each row "
                       "of the map is a query token, each column a key token, and dark cells are "
                       "large weights."),
            .terms = {"attention head", "head", "attention"},
            .make = makePage<OverviewPage>,
            .figure = [](const Looking& looking, const QJsonObject& options) {
                return gridFigure(looking, options);
            }};
}

} // namespace headscope::ui
