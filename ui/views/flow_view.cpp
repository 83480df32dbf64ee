#include "ui/views/flow_view.h"

#include "ui/views/empty_state.h"
#include "ui/views/shown_pattern.h"
#include "ui/widgets/flow_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/slider.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr double kAtOnce = 2e7; ///< multiplications that the GUI thread may do itself
constexpr int kSideWidth = 272;
constexpr std::size_t kShownBars = 10;

} // namespace

FlowView::FlowView(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_part(new SegmentBar(this))
    , m_run(new SegmentBar(this))
    , m_mode(new SegmentBar(this))
    , m_measure(new SegmentBar(this))
    , m_threshold(new NamedSlider(tr("Hide edges below"), {}, Role::Plain, this))
    , m_renormalise(new QCheckBox(tr("Leave them out of the shares too"), this))
    , m_count(caption({}, this))
    , m_scroll(new QScrollArea(this))
    , m_graph(new FlowWidget)
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(8);
    column->addLayout(makeTopRow());
    column->addLayout(makeOptionsRow());
    auto* body = new QHBoxLayout;
    body->setSpacing(24);
    m_scroll->setWidget(m_graph);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    body->addWidget(m_scroll, 1);
    body->addWidget(makeSide());
    column->addLayout(body, 1);
    m_empty = new EmptyState(m_scroll);
    connectWidgets();
    refreshControls();
}

QLayout* FlowView::makeTopRow()
{
    m_part->setSegments({{tr("Encoder"), tr("The source's own layers")},
                         {tr("Decoder"), tr("The target's own layers; what comes from the source "
                                            "stands on the page Cross")}});
    m_part->setAccessibleName(tr("Stack"));
    m_run->setSegments({{tr("A"), tr("As trained")},
                        {tr("B"), tr("With your changes")},
                        {tr("B\u2212A"), tr("What your changes move")}});
    m_run->setAccessibleName(tr("Run"));
    m_mode->setSegments(
        {{tr("Rollout"), tr("Half the mean attention of the heads, half the residual stream")},
         {tr("Attention"), tr("The mean attention of the heads alone")},
         {tr("Contribution"),
          tr("What each token's value vectors add to the stream, beside the residual")}});
    m_mode->setAccessibleName(tr("What an edge is"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(heading(tr("Paths through the layers"), this));
    row->addStretch(1);
    row->addWidget(m_part);
    row->addWidget(m_run);
    row->addWidget(m_mode);
    return row;
}

QLayout* FlowView::makeOptionsRow()
{
    m_measure->setSegments({{tr("Length"), tr("Length of the vector that is added")},
                            {tr("Distance"), tr("How much nearer it brings the stream to what it "
                                                "becomes")}});
    m_measure->setAccessibleName(tr("How contributions are measured"));
    SliderScale scale;
    scale.low = 0.0;
    scale.high = 0.5;
    scale.steps = 50;
    scale.multiple = 0.01;
    scale.decimals = 2;
    m_threshold->setScale(scale);
    m_threshold->setNumber(m_options.threshold);
    m_threshold->setCompact(true);
    m_threshold->setFixedWidth(240);
    m_renormalise->setToolTip(
        tr("Divide each token's edges by what remains of them, before paths are followed"));
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addWidget(m_threshold);
    row->addWidget(m_renormalise);
    row->addWidget(m_measure);
    row->addStretch(1);
    row->addWidget(m_count);
    return row;
}

QWidget* FlowView::makeSide()
{
    auto* side = new QWidget(this);
    side->setFixedWidth(kSideWidth);
    m_title = heading({}, side);
    m_text = new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, side);
    m_sourcesTitle = caption({}, side);
    m_sourceBars = new BarsWidget(side);
    m_sourceBars->setAccessibleName(tr("Input tokens by share"));
    m_edgeTitle = heading({}, side);
    m_edgeText = new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, side);
    m_headBars = new BarsWidget(side);
    m_headBars->setAccessibleName(tr("Heads that carry the edge"));
    for (TextLabel* label : {m_title, m_text, m_sourcesTitle, m_edgeTitle, m_edgeText})
        label->setWordWrap(true);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_sourcesTitle);
    column->addWidget(m_sourceBars);
    column->addSpacing(8);
    column->addWidget(m_edgeTitle);
    column->addWidget(m_edgeText);
    column->addWidget(m_headBars);
    column->addStretch(1);
    return side;
}

void FlowView::connectWidgets()
{
    connect(m_part, &SegmentBar::currentChanged, this, [this](int index) {
        session().activatePart(index == 0 ? AttentionPart::Encoder : AttentionPart::Decoder);
    });
    connect(m_run, &SegmentBar::currentChanged, this,
            [this](int index) { session().setShownRun(static_cast<Run>(index)); });
    connect(m_mode, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.mode = static_cast<FlowMode>(index);
        refresh({});
    });
    connect(m_measure, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.measure = static_cast<ContributionMeasure>(index);
        refresh({});
    });
    connect(m_threshold, &NamedSlider::numberChanged, this, [this](double value) {
        m_options.threshold = value;
        refreshGraph();
    });
    connect(m_renormalise, &QCheckBox::toggled, this, [this](bool on) {
        m_options.renormalise = on;
        refreshGraph();
    });
    connect(m_graph, &FlowWidget::nodeActivated, this, &FlowView::pin);
    connect(m_graph, &FlowWidget::edgeActivated, this, &FlowView::chooseEdge);
    connect(m_graph, &FlowWidget::cursorMoved, this, [this](const QRect& place) {
        const QPoint centre = place.center();
        m_scroll->ensureVisible(centre.x(), centre.y(), place.width() / 2, place.height() / 2);
    });
    connect(m_headBars, &BarsWidget::barActivated, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (m_options.edge && place < m_heads.heads.size())
            session().activateHead(m_options.edge->layer, m_heads.heads[place]);
    });
    connect(m_sourceBars, &BarsWidget::barActivated, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (place < m_sources.size())
            m_graph->setCursorNode({0, m_sources[place]});
    });
}

// ---------------------------------------------------------------------------- what a person means

/// The same node again frees it.
void FlowView::pin(FlowNode node)
{
    if (m_options.pinned == node) {
        escape();
        return;
    }
    m_options.pinned = node;
    m_options.edge.reset();
    const auto row = static_cast<std::size_t>(node.token);
    if (row < m_content.tokens.size())
        session().selectPair(m_content.tokens[row].back(), -1);
    refreshGraph();
}

void FlowView::chooseEdge(const FlowEdge& edge)
{
    const bool again = m_options.edge && m_options.edge->joins(edge);
    m_options.edge = again ? std::nullopt : std::optional(edge);
    refreshGraph();
}

bool FlowView::escape()
{
    if (m_options.edge) {
        m_options.edge.reset();
    } else if (m_options.pinned) {
        m_options.pinned.reset();
        session().releasePair();
    } else {
        return false;
    }
    refreshGraph();
    return true;
}

void FlowView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

/// A pin follows its token to where the selection moved it, and goes with the selection's.
void FlowView::followSelection()
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

// ------------------------------------------------------------------------------------- following

void FlowView::refresh(ChangeSet changes)
{
    if (changes & Change::Selection)
        followSelection();
    if (changes & Change::Model) {
        m_options.pinned.reset();
        m_options.edge.reset();
    }
    refreshControls();
    refreshShares();
}

void FlowView::refreshControls()
{
    const Looking looking = session().looking();
    m_part->setVisible(session().readsTarget());
    m_part->setCurrent(looking.selection.part == AttentionPart::Encoder ? 0 : 1);
    m_run->setVisible(!session().changes().empty());
    m_run->setCurrent(static_cast<int>(session().shownRun()));
    m_run->setSegmentEnabled(2, !looking.b || looking.isComparable(),
                             looking.b && !looking.isComparable()
                                 ? tr("A and B have different numbers of tokens, layers or heads")
                                 : tr("What your changes move"));
    m_mode->setCurrent(static_cast<int>(m_options.mode));
    m_measure->setCurrent(static_cast<int>(m_options.measure));
    m_measure->setVisible(m_options.mode == FlowMode::Contribution);
}

/// At once where that is quick; else on the other thread, while the last picture stays.
void FlowView::refreshShares()
{
    const Looking looking = session().looking();
    const Source source{looking.a,          looking.b,      looking.shown,
                        flowStack(looking), m_options.mode, m_options.measure};
    if (source == m_source) {
        if (!m_waits)
            m_computed = looking;
        refreshGraph();
        return;
    }
    m_source = source;
    const quint64 generation = ++m_generation;
    m_waits = flowCost(looking, m_options) > kAtOnce;
    if (!m_waits) {
        m_computed = looking;
        adopt(flowMixings(looking, m_options));
        return;
    }
    m_thread.run([this, looking, options = m_options, generation] {
        if (generation != m_generation)
            return;
        const FlowMixings mixings = flowMixings(looking, options);
        QMetaObject::invokeMethod(this, [this, looking, mixings, generation] {
            if (generation != m_generation)
                return;
            m_computed = looking;
            m_waits = false;
            adopt(mixings);
        });
    });
    refreshEmptyState();
}

void FlowView::adopt(const FlowMixings& mixings)
{
    m_mixings = mixings;
    refreshGraph();
}

void FlowView::refreshGraph()
{
    m_computed.selection = session().selection();
    m_computed.stale = session().isStale() || m_waits;
    m_content = flowContent(m_computed, m_options, m_mixings);
    if (session().text().isEmpty())
        m_content = {};
    const bool fits = m_options.pinned && m_content.graph.contains(*m_options.pinned);
    if (m_content.graph.tokens() > 0 && !fits)
        m_options.pinned.reset();
    m_graph->setContent(m_content.graph);
    QString words = m_content.graph.tokens() > 0 ? countWords(m_content) : QString();
    if (m_content.replacedHeads > 0)
        words += tr("; %n switched-off head(s) have no share", nullptr, m_content.replacedHeads);
    m_count->setText(words);
    refreshSide();
    refreshHeads();
    refreshEmptyState();
}

void FlowView::refreshSide()
{
    const FlowGraphContent& graph = m_content.graph;
    std::vector<Bar> bars;
    m_sources.clear();
    if (graph.pinned && !graph.nodes.empty()) {
        const std::vector<float>& input = graph.nodes.front();
        m_sources.resize(input.size());
        std::iota(m_sources.begin(), m_sources.end(), 0);
        std::stable_sort(m_sources.begin(), m_sources.end(), [&input](int a, int b) {
            return input[static_cast<std::size_t>(a)] > input[static_cast<std::size_t>(b)];
        });
        m_sources.resize(std::min(m_sources.size(), kShownBars));
        for (const int token : m_sources)
            bars.push_back({graph.labels.value(token),
                            double{input[static_cast<std::size_t>(token)]},
                            {},
                            token,
                            Role::Accent,
                            bars.empty()});
    }
    m_title->setVisible(graph.tokens() > 0);
    m_text->setVisible(graph.tokens() > 0);
    m_sourcesTitle->setVisible(!bars.empty());
    m_sourceBars->setVisible(!bars.empty());
    if (graph.pinned) {
        m_title->setText(
            graph.pinned->level == 0
                ? tr("\u201C%1\u201D, input").arg(graph.labels.value(graph.pinned->token))
                : tr("\u201C%1\u201D after layer %2")
                      .arg(graph.labels.value(graph.pinned->token))
                      .arg(graph.pinned->level - 1));
        m_text->setText(tr("Only paths into this node are drawn. Click it again, or Esc, to see "
                           "all."));
    } else {
        m_title->setText(tr("All edges"));
        m_text->setText(tr("Click a dot to see only the paths that lead into it, a line to see "
                           "the heads that carry it."));
    }
    m_sourcesTitle->setText(m_sources.size() < static_cast<std::size_t>(graph.tokens())
                                ? tr("Input tokens that reach it, share; %1 of %2")
                                      .arg(m_sources.size())
                                      .arg(graph.tokens())
                                : tr("Input tokens that reach it, share"));
    m_sourceBars->setBars(std::move(bars));
}

void FlowView::refreshHeads()
{
    const bool shown = m_content.graph.edge.has_value();
    m_heads = shown ? edgeHeads(m_computed, m_options, m_content, m_mixings) : FlowEdgeHeads();
    m_edgeTitle->setVisible(shown);
    m_edgeText->setVisible(shown);
    m_headBars->setVisible(shown && !m_heads.bars.empty());
    if (!shown)
        return;
    const FlowEdge& edge = *m_content.graph.edge;
    m_edgeTitle->setText(
        tr("\u201C%1\u201D \u2192 \u201C%2\u201D, layer %3")
            .arg(m_content.graph.labels.value(edge.from), m_content.graph.labels.value(edge.to))
            .arg(edge.layer));
    const std::size_t bars = std::min(m_heads.bars.size(), kShownBars);
    QString text = m_content.graph.isSigned
                       ? tr("Difference of the shares %1.").arg(signedNumber(m_heads.share, 3))
                       : tr("Share %1.").arg(readoutNumber(m_heads.share));
    if (m_heads.residual > 0.0 && !m_content.graph.pinned && !m_content.graph.isSigned)
        text += QLatin1Char(' ') + tr("%1 of a token's own share is the residual stream.")
                                       .arg(readoutNumber(m_heads.residual));
    text += QLatin1Char(' ') + (m_options.mode == FlowMode::Contribution
                                    ? tr("Length of what each head adds:")
                                    : tr("Attention weight of each head:"));
    if (bars < m_heads.bars.size())
        text += QLatin1Char(' ') + tr("(%1 of %2)").arg(bars).arg(m_heads.bars.size());
    m_edgeText->setText(text);
    BarsOptions options;
    options.largest = m_options.mode == FlowMode::Contribution ? 0.0 : 1.0;
    m_headBars->setOptions(options);
    m_headBars->setBars(
        {m_heads.bars.begin(), m_heads.bars.begin() + static_cast<std::ptrdiff_t>(bars)});
}

void FlowView::refreshEmptyState()
{
    const bool noModel = !session().model().model && session().loadingName().isEmpty();
    const bool noText = session().text().isEmpty();
    const bool noLayers =
        m_mixings.a && m_mixings.a->layers.empty() && !m_waits && m_content.problem.isEmpty();
    m_empty->setVisible(noModel || noText || noLayers || !m_content.problem.isEmpty());
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else if (noText)
        m_empty->setTexts(tr("Nothing is typed yet"),
                          tr("Type a sentence above: its paths appear here."), {});
    else if (noLayers)
        m_empty->setTexts(tr("There is nothing to follow"),
                          tr("This model has no layer with attention."), {});
    else
        m_empty->setTexts(tr("These shares cannot be had"), m_content.problem, {});
}

// ------------------------------------------------------------------------------------------- page

Figure FlowView::figure() const
{
    return flowFigure(m_computed, m_options, m_mixings);
}

void FlowView::focusMain()
{
    m_graph->setFocus(Qt::OtherFocusReason);
}

QJsonObject FlowView::options() const
{
    return m_options.toJson();
}

void FlowView::setOptions(const QJsonObject& options)
{
    m_options = FlowOptions::fromJson(options);
    m_threshold->setNumber(m_options.threshold);
    m_renormalise->setChecked(m_options.renormalise);
    refresh({});
}

QString FlowView::hint() const
{
    return tr("Click a dot: paths into it \u00B7 Click a line: its heads \u00B7 Arrows move, Enter "
              "pins, E steps through the edges, Esc frees");
}

} // namespace headscope::ui
