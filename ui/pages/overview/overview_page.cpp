#include "ui/pages/overview/overview_page.h"

#include "ui/pages/overview/next_token_bars.h"
#include "ui/pages/overview/overview_room.h"
#include "ui/pages/overview/things_to_try_bar.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/part_bar.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"

#include <algorithm>

namespace headscope::ui {

namespace {

/// Scores worth sorting a grid by; the Heads page has all of them.
constexpr HeadScore kSorts[] = {HeadScore::InductionOnText, HeadScore::DuplicateFraction,
                                HeadScore::PreviousToken,   HeadScore::FirstToken,
                                HeadScore::Entropy,         HeadScore::Distance};

} // namespace

OverviewPage::OverviewPage(Session& session)
    : Page(session)
    , m_gridCaption(caption({}, this))
    , m_part(new PartBar(session, this))
    , m_sort(new ChoiceBox(this))
    , m_grid(new HeadGridWidget(this))
    , m_next(new NextTokenBars(this))
    , m_mapTitle(heading(tr("Attention pattern"), this))
    , m_variant(new VariantBar(session, this))
    , m_kind(new SegmentBar(this))
    , m_map(new LegendMap(this))
    , m_empty(new EmptyState(&m_map->map()))
    , m_maps([this] { refreshMap(this->session().viewSnapshot()); })
{
    m_grid->setAccessibleName(tr("All heads"));
    m_map->map().setAccessibleName(tr("Attention pattern"));
    m_map->map().setZoomable(true);
    m_kind->setSegments(
        {{tr("Weights"),
          tr("After softmax: each row sums to 1, with its sink where the head has one")},
         {tr("Scores"), tr("Before softmax and mask")},
         {tr("Value-weighted"), tr("Weight times the length of the value vector")}});
    m_kind->setAccessibleName(tr("Values in the map"));
    m_sort->setPurpose(tr("Order of the heads"));
    m_sort->addItem(tr("In the model's order"));
    for (const HeadScore score : kSorts)
        m_sort->addItem(tr("Sort by %1").arg(scoreInSentence(score)), scoreKey(score));
    new PageFrame(*this, {{rowOf(40, {makeGridColumn(), {makeMapColumn(), 1}}), 1}});
    connectWidgets();
    setMainWidget(m_map->map());
}

QLayout* OverviewPage::makeGridColumn()
{
    auto* title = heading(tr("All heads"), this);
    title->setMinimumHeight(28);
    return columnOf(0, {title,
                        m_gridCaption,
                        Placed::gap(8),
                        {m_part, 0, Qt::AlignLeft},
                        {m_sort, 0, Qt::AlignLeft},
                        Placed::gap(8),
                        m_grid,
                        {m_next, 100}, // all that is left, or none of it when hidden
                        Placed::space()});
}

QLayout* OverviewPage::makeMapColumn()
{
    auto* top = topRow(m_mapTitle, {m_variant, m_kind});
    return columnOf(8, {top, {m_map, 1}, new ThingsToTryBar(session(), this)});
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
        const ViewSnapshot view = session().viewSnapshot();
        if (const auto number = mapNumber(view, view.shown, mapKind(), cell))
            emit numberWanted(*number);
    });
    connect(m_sort, &QComboBox::currentIndexChanged, this, [this] {
        scoreWhenSorted();
        refreshGrid(session().viewSnapshot());
    });
    connect(&m_scorer, &HeadScorer::traceScored, this, [this](const ScoredText& scored) {
        m_scored = scored.trace;
        m_scores = scored.tables;
        refreshGrid(session().viewSnapshot());
    });
    connect(m_kind, &SegmentBar::currentChanged, this,
            [this] { refreshMap(session().viewSnapshot()); });
    m_grid->setToolTipText([this](GridCell index) { return toolTipOf(index); });
}

QString OverviewPage::toolTipOf(GridCell index) const
{
    const ViewSnapshot view = session().viewSnapshot();
    if (!view.trace())
        return {};
    Selection there = view.selection;
    there.layer = index.layer;
    there.head = index.head;
    const AttentionKind part = there.part;
    const TokenPair pair = resolve(there, *view.trace());
    const QStringList queries = labelsOf(view.trace()->queryTokens(part), view.model());
    const QStringList keys = labelsOf(view.trace()->keyTokens(part), view.model());
    QString text = tr("\u201C%1\u201D attends most to \u201C%2\u201D")
                       .arg(queries.value(pair.query), keys.value(pair.key));
    const auto sort = sortedBy();
    if (const HeadScoreTable* table = tableOf(part); table && sort)
        text += QLatin1Char('\n') +
                tr("%1 %2").arg(scoreTitle(*sort),
                                scoreText(*sort, table->at(index.layer, index.head, *sort)));
    return text;
}

MapKind OverviewPage::mapKind() const
{
    return static_cast<MapKind>(m_kind->current());
}

Figure OverviewPage::figure() const
{
    const ViewSnapshot view = session().viewSnapshot();
    return gridFigure(view, sortedBy(), tableOf(view.selection.part));
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
    refreshMap(session().viewSnapshot());
}

QString OverviewPage::hint() const
{
    return tr("Arrows move \u00B7 Enter opens the head \u00B7 PgUp PgDn change the layer \u00B7 "
              "Ctrl+click: a number's origin");
}

MaybeNumber OverviewPage::numberAt(std::optional<QPoint> place) const
{
    if (!place && m_map->map().sinkRow())
        return std::nullopt; // the selected pair is elsewhere
    const ViewSnapshot view = session().viewSnapshot();
    if (const auto cell = cellAt(m_map->map(), place))
        return mapNumber(view, view.shown, mapKind(), *cell);
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

/// The small maps of a long text come after its trace.
bool OverviewPage::hasSmallMaps() const
{
    const ForwardResult& result = session().computation().result();
    const auto found = result.thumbnailsA.find(session().selection().part);
    return found == result.thumbnailsA.end() ||
           std::find(found->second.begin(), found->second.end(), nullptr) == found->second.end();
}

bool OverviewPage::isSettled() const
{
    return hasSmallMaps() && !m_maps.waits() && (!sortedBy() || m_scored == session().shownTrace());
}

void OverviewPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_grid->setMaximumWidth(std::max(width() * 45 / 100, m_grid->minimumSizeHint().width()));
    refreshGrid(session().viewSnapshot());
    placeGrid();
}

/// The next token only fills the room that the heads leave.
void OverviewPage::placeGrid()
{
    const int above = m_grid->mapTo(this, QPoint()).y();
    const int needed = m_grid->sizeHint().height() + m_next->sizeHint().height();
    m_next->setVisible(m_grid->content().layers > 0 && above + needed <= height());
}

void OverviewPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model))
        m_scores.reset(); // of another model's heads
    const ViewSnapshot view = session().viewSnapshot();
    scoreWhenSorted();
    refreshGrid(view);
    refreshMap(view);
    m_next->refresh(view);
    m_mapTitle->setVisible(view.changes.empty()); // A, B and B−A take its room
    placeGrid();
    m_empty->refresh(session(), tr("Type a sentence above: attention follows every key."));
}

void OverviewPage::refreshGrid(const ViewSnapshot& view)
{
    const auto sort = sortedBy();
    const std::vector<ThumbnailPtr>* hidden = m_hidden.of(view);
    HeadGridContent content = gridContent(view, sort ? tableOf(view.selection.part) : nullptr,
                                          sort.value_or(HeadScore::InductionOnText), hidden);
    const double scale = Theme::of(*this).scale();
    content.largestSide = sideOfSmallMaps(QSizeF(size()) / scale, content.layers, content.heads);
    if (session().text().isEmpty()) // no attention yet
        std::fill(content.thumbnails.begin(), content.thumbnails.end(), nullptr);
    const QString mark = gridMark(view, hidden);
    QString words = content.layers > 0 ? gridText(content, sort) : QString();
    if (!words.isEmpty() && !mark.isEmpty())
        words += QLatin1Char('\n') + mark;
    m_gridCaption->setWordWrap(!mark.isEmpty()); // few heads leave little room
    m_gridCaption->setText(words);
    m_grid->setContent(std::move(content));
}

void OverviewPage::refreshMap(const ViewSnapshot& view)
{
    m_maps.want(view, {view.shown, mapKind(), MapScale::Absolute, false});
    MapWithLegend shown = m_maps.map();
    if (session().text().isEmpty())
        shown.map.matrix = {};
    m_map->setShown(std::move(shown));
}

PageDescriptor OverviewPage::descriptor()
{
    return {
        .name = "overview",
        .title = tr("Overview"),
        .question = tr("What does every head attend to?"),
        .mode = tr("All heads"),
        .icon = "<rect x='2.75' y='2.75' width='5.5' height='5.5' rx='1'/><rect x='11.75' "
                "y='2.75' width='5.5' height='5.5' rx='1'/><rect x='2.75' y='11.75' "
                "width='5.5' height='5.5' rx='1'/><rect x='11.75' y='11.75' width='5.5' "
                "height='5.5' rx='1' fill='@'/>",
        .help = tr(
            "All heads at once, one row per layer. Select one to enlarge it: each row of the map is a query token, each column a key token, and the colour of a cell is the weight."),
        .terms = {"attention head", "head", "attention"},
        .make = makePage<OverviewPage>,
        .figure = [](const ViewSnapshot& view, const QJsonObject& options) {
            return gridFigure(view, options);
        }};
}

} // namespace headscope::ui
