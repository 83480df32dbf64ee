#include "ui/pages/flow/flow_page.h"

#include "ui/pages/flow/flow_controls.h"
#include "ui/pages/flow/flow_figure.h"
#include "ui/pages/flow/flow_number.h"
#include "ui/pages/flow/flow_side_panel.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/flow/flow_widget.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui {

FlowPage::FlowPage(Session& session)
    : Page(session)
    , m_measurement(session)
    , m_controls(new FlowControls(session, this))
    , m_graph(new FlowWidget)
    , m_scroll(new ColumnScroll(m_graph, this))
    , m_graphs([this] { showGraph(); })
{
    new PageFrame(*this, {m_controls, {makeBody(), 1}});
    m_empty = new EmptyState(m_scroll);
    connectControls();
    connectGraph();
    connectSide();
    m_controls->refresh(m_options);
    setMainWidget(*m_graph);
}

QLayout* FlowPage::makeBody()
{
    m_side = new FlowSidePanel(this);
    return rowOf(24, {{m_scroll, 1}, m_side});
}

void FlowPage::connectControls()
{
    connect(m_controls, &FlowControls::modeChosen, this, [this](FlowMode mode) {
        m_options.mode = mode;
        refresh({});
    });
    connect(m_controls, &FlowControls::measureChosen, this, [this](ContributionMeasure measure) {
        m_options.measure = measure;
        refresh({});
    });
    connect(m_controls, &FlowControls::thresholdChosen, this, [this](double threshold) {
        m_options.threshold = threshold;
        refreshGraph();
    });
    connect(m_controls, &FlowControls::renormaliseChosen, this, [this](bool on) {
        m_options.renormalise = on;
        refreshGraph();
    });
    connect(&m_measurement, &FlowMeasurement::changed, this, &FlowPage::refreshGraph);
    connect(&m_measurement, &FlowMeasurement::advanced, m_controls, &FlowControls::showProgress);
}

void FlowPage::connectGraph()
{
    connect(m_graph, &FlowWidget::nodeActivated, this, &FlowPage::pin);
    connect(m_graph, &FlowWidget::edgeActivated, this, &FlowPage::chooseEdge);
    connect(m_graph, &FlowWidget::cursorMoved, this, [this](const QRect& place) {
        const QPoint centre = place.center();
        m_scroll->ensureVisible(centre.x(), centre.y(), place.width() / 2, place.height() / 2);
    });
}

void FlowPage::connectSide()
{
    connect(m_side, &FlowSidePanel::headChosen, this, [this](int head) {
        if (m_options.edge)
            session().view().activateHead(m_options.edge->layer, head);
    });
    connect(m_side, &FlowSidePanel::sourceChosen, this, [this](int token) {
        m_graph->setCursorNode({0, token});
    });
}

/// Selecting the pinned node again unpins it.
void FlowPage::pin(FlowNode node)
{
    if (m_options.pinned == node) {
        escape();
        return;
    }
    m_options.pinned = node;
    m_options.edge.reset();
    const auto row = static_cast<std::size_t>(node.token);
    if (row < m_content.tokens.size())
        session().view().selectPair(m_content.tokens[row].back(), -1);
    refreshGraph();
}

void FlowPage::chooseEdge(const FlowEdge& edge)
{
    const bool again = m_options.edge && m_options.edge->joins(edge);
    m_options.edge = again ? std::nullopt : std::optional(edge);
    refreshGraph();
}

bool FlowPage::escape()
{
    if (m_options.edge) {
        m_options.edge.reset();
    } else if (m_options.pinned) {
        m_options.pinned.reset();
        session().view().releasePair();
    } else {
        return false;
    }
    refreshGraph();
    return true;
}

void FlowPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

/// A pin follows its token when the selection moves, and is cleared with the selection's.
void FlowPage::followSelection()
{
    if (!m_options.pinned)
        return;
    const Selection& selection = session().selection();
    if (!selection.pinned) {
        m_options.pinned.reset();
        m_options.edge.reset();
        return;
    }
    for (std::size_t row = 0; row < m_content.tokens.size(); ++row) {
        const std::vector<int>& tokens = m_content.tokens[row];
        if (std::find(tokens.begin(), tokens.end(), selection.query) != tokens.end())
            m_options.pinned->token = static_cast<int>(row);
    }
}

void FlowPage::refresh(ChangeSet changes)
{
    if (changes & Change::Selection)
        followSelection();
    if (changes & Change::Model && !std::exchange(m_restored, false)) {
        m_options.pinned.reset();
        m_options.edge.reset();
    }
    m_controls->refresh(m_options);
    refreshContributions();
}

void FlowPage::refreshContributions()
{
    if (m_measurement.measure(m_options)) {
        refreshGraph();
        return;
    }
    if (m_content.graph.tokens() == 0) // Otherwise the last image stays.
        m_controls->showWaiting();
    refreshEmptyState();
}

void FlowPage::refreshGraph()
{
    m_measurement.followSelection();
    const ViewSnapshot& view = m_measurement.computed();
    ViewKey key(view);
    key.head = {view.selection.part, 0, 0}; // paths go through all of them
    m_graphs.want(
        {std::move(key), m_options.toJson(), m_measurement.mixings().a, m_measurement.mixings().b},
        !isLongText(view),
        [view, options = m_options, mixings = m_measurement.mixings()](const std::stop_token&) {
            return flowContent(view, options, mixings);
        });
    if (!m_graphs.waits()) // Otherwise the last image stays.
        showGraph();
}

void FlowPage::showGraph()
{
    m_content = m_graphs.content();
    if (m_content.graph.tokens() > 0)
        m_content.graph.stale = m_measurement.computed().stale;
    if (session().text().isEmpty())
        m_content = {};
    const bool fits = m_options.pinned && m_content.graph.contains(*m_options.pinned);
    if (m_content.graph.tokens() > 0 && !fits)
        m_options.pinned.reset();
    m_graph->setContent(m_content.graph);
    m_controls->showCount(m_content);
    refreshSide();
    refreshEmptyState();
}

void FlowPage::refreshSide()
{
    m_side->showPaths(m_content);
    const FlowEdgeHeads heads =
        m_content.graph.edge
            ? edgeHeads(m_measurement.computed(), m_options, m_content, m_measurement.mixings())
            : FlowEdgeHeads();
    m_side->showHeads(m_content.graph, heads, m_options.mode);
}

void FlowPage::refreshEmptyState()
{
    const FlowMixingPtr& a = m_measurement.mixings().a;
    EmptyText words;
    if (!m_content.problem.isEmpty())
        words = {tr("Edge weights are not available"), m_content.problem};
    else if (a && a->layers.empty() && !m_measurement.isWaiting())
        words = {tr("No paths to show"), tr("This model has no layer with attention.")};
    m_empty->refresh(session(), tr("Type a sentence above to see its paths."), words);
}

Figure FlowPage::figure() const
{
    return flowFigure(m_measurement.computed(), m_options, m_measurement.mixings());
}

QJsonObject FlowPage::options() const
{
    return m_options.toJson();
}

void FlowPage::setOptions(const QJsonObject& options)
{
    m_options = FlowOptions::fromJson(options);
    m_restored = true;
    m_controls->restore(m_options);
    refresh({});
}

QString FlowPage::hint() const
{
    return tr("Click a dot: its paths, a line: its heads \u00B7 E steps \u00B7 Esc unpins "
              "\u00B7 Ctrl+click: a weight's origin");
}

std::optional<FlowEdge> FlowPage::strongestInto(std::optional<FlowNode> node) const
{
    const auto edges = node ? edgesInto(m_graph->drawn(), *node) : std::vector<FlowEdge>();
    return edges.empty() ? std::nullopt : std::optional(edges.front());
}

/// Edge under the keyboard cursor.
std::optional<FlowEdge> FlowPage::currentEdge() const
{
    const FlowGraphContent& shown = m_graph->content();
    return shown.edge ? shown.edge : strongestInto(shown.cursor ? shown.cursor : shown.pinned);
}

std::optional<FlowEdge> FlowPage::edgeAt(std::optional<QPoint> place) const
{
    if (!place)
        return currentEdge();
    const auto inside = within(*m_graph, place);
    if (!inside)
        return std::nullopt;
    const FlowLayout layout = m_graph->layoutNow();
    if (const auto node = layout.nodeAt(*inside))
        return strongestInto(node);
    return layout.edgeAt(*inside, m_graph->drawn());
}

MaybeNumber FlowPage::numberAt(std::optional<QPoint> place) const
{
    QString why;
    const auto edge = edgeAt(place);
    return edge ? flowEdgeNumber(m_measurement.computed(), m_options, m_content, *edge, &why)
                : std::nullopt;
}

QString FlowPage::whyNoNumber() const
{
    QString why;
    const auto edge = edgeAt({});
    if (edge && !flowEdgeNumber(m_measurement.computed(), m_options, m_content, *edge, &why) &&
        !why.isEmpty())
        return why;
    return tr("Select a line first, or a dot that a line leads into.");
}

PageDescriptor FlowPage::descriptor()
{
    return {.name = "flow",
            .title = tr("Flow"),
            .question = tr("How does information reach a token through all layers?"),
            .icon = "<path d='M4.5 4.5L10 10L15.5 4.5M4.5 15.5L10 10M10 10h5.5'/><circle cx='4' "
                    "cy='4' r='1.75'/><circle cx='4' cy='16' r='1.75'/><circle cx='16' cy='10' "
                    "r='1.75' fill='@'/><circle cx='16' cy='4' r='1.75'/>",
            .help = tr("See how information moves between tokens through the layers (attention "
                       "rollout and contributions), including the residual stream."),
            .terms = {"attention rollout", "residual stream"},
            .make = makePage<FlowPage>,
            .figure = [](const ViewSnapshot& view, const QJsonObject& options) {
                return flowFigure(view, options);
            }};
}

} // namespace headscope::ui
