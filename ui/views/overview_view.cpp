#include "ui/views/overview_view.h"

#include "ui/views/empty_state.h"
#include "ui/views/legend_map.h"
#include "ui/widgets/head_grid.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segments.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace headscope::ui {

OverviewView::OverviewView(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_gridCaption(caption({}, this))
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
    m_run->setSegments({{tr("A"), tr("As trained")}, {tr("B"), tr("With your changes")}});
    m_run->setAccessibleName(tr("Run"));
    m_kind->setSegments(
        {{tr("Weights"), tr("After softmax: each row sums to 1")},
         {tr("Scores"), tr("Before softmax: q\u00B7k / √d_k")},
         {tr("Value-weighted"), tr("Weight times the length of the value vector")}});
    m_kind->setAccessibleName(tr("What the map shows"));
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(24, 16, 24, 16);
    columns->setSpacing(40);
    columns->addLayout(makeGridColumn());
    columns->addLayout(makeMapColumn(), 1);
    connectWidgets();
}

QLayout* OverviewView::makeGridColumn()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    auto* title = heading(tr("All heads"), this);
    title->setMinimumHeight(28);
    column->addWidget(title);
    column->addWidget(m_gridCaption);
    column->addSpacing(8);
    column->addWidget(m_grid, 1);
    return column;
}

QLayout* OverviewView::makeMapColumn()
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

void OverviewView::connectWidgets()
{
    connect(m_grid, &HeadGridWidget::headActivated, this,
            [this](HeadIndex index) { session().activateHead(index.layer, index.head); });
    connect(&m_map->map(), &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { session().selectPair(cell.row, cell.column); });
    connect(m_kind, &SegmentBar::currentChanged, this, &OverviewView::refreshMap);
    connect(m_run, &SegmentBar::currentChanged, this,
            [this](int index) { session().setShownRun(index == 1 ? Run::B : Run::A); });
    connect(m_empty, &EmptyState::buttonPressed, this, &OverviewView::sampleWanted);
    m_grid->setToolTipText([this](HeadIndex index) {
        const TracePtr& trace = session().shownTrace();
        if (!trace)
            return QString();
        const TokenPair pair = resolve({session().selection().part, index.layer, index.head}, *trace);
        const QStringList labels = labelsOf(*trace, session().model());
        return tr("Layer %1, head %2: \u201C%3\u201D looks most at \u201C%4\u201D")
            .arg(index.layer)
            .arg(index.head)
            .arg(labels.value(pair.query), labels.value(pair.key));
    });
}

const HeatmapWidget& OverviewView::map() const
{
    return m_map->map();
}

MapKind OverviewView::mapKind() const
{
    return static_cast<MapKind>(m_kind->current());
}

void OverviewView::focusMain()
{
    m_map->map().setFocus(Qt::OtherFocusReason);
}

void OverviewView::refresh(ChangeSet)
{
    m_run->setVisible(!session().changes().empty());
    m_run->setCurrent(session().shownRun() == Run::B ? 1 : 0);
    refreshGrid();
    refreshMap();
    refreshEmptyState();
}

void OverviewView::refreshGrid()
{
    HeadGridContent content;
    if (session().model().model) {
        const ModelConfig& config = session().model().model->config();
        content.layers = static_cast<int>(config.layers);
        content.heads = static_cast<int>(config.heads);
        m_gridCaption->setText(
            tr("%1 layers \u2193   %2 heads \u2192").arg(content.layers).arg(content.heads));
    }
    const Looking looking = session().looking();
    const auto found = looking.thumbnails().find(looking.selection.part);
    if (found != looking.thumbnails().end())
        content.thumbnails = found->second;
    content.thumbnails.resize(static_cast<std::size_t>(content.layers * content.heads));
    content.map = session().colourMap();
    content.selected = HeadIndex{session().selection().layer, session().selection().head};
    for (const HeadOff& off : session().changes().headsOff)
        content.switchedOff.insert({off.head.layer, off.head.head});
    m_grid->setContent(std::move(content));
}

void OverviewView::refreshMap()
{
    MapWithLegend shown = headMap(session(), session().shownRun(), mapKind());
    if (session().text().isEmpty())
        shown.map.matrix = {};
    m_map->setShown(std::move(shown));
}

void OverviewView::refreshEmptyState()
{
    const bool noModel = !session().model().model && session().loadingName().isEmpty();
    m_empty->setVisible(noModel || session().text().isEmpty());
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else
        m_empty->setTexts(tr("Nothing is typed yet"),
                          tr("Type a sentence above: attention follows every key."),
                          tr("Take the sample sentence"));
}

} // namespace headscope::ui
