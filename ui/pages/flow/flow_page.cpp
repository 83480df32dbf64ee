#include "ui/pages/flow/flow_page.h"

#include "core/base/error.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/flow/flow_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/slider.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kAtOnce = 2e6; ///< multiplications that the GUI thread may do itself

} // namespace

FlowPage::FlowPage(Session& session, QWidget* parent)
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

FlowPage::~FlowPage()
{
    m_stop.request_stop();
}

QLayout* FlowPage::makeTopRow()
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
          tr("What each token's value vectors add to the stream, beside the residual")},
         {tr("Value norm"), tr("Rollout with the lengths of what is moved in place of weights")},
         {tr("Gradient"), tr("Rollout with gradient \u00D7 attention of the likeliest next token: "
                             "what raises its logit")},
         {tr("Integrated"), tr("Rollout with integrated gradients of attention: what raises the "
                               "likeliest next token's logit")}});
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

QLayout* FlowPage::makeOptionsRow()
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

void FlowPage::connectWidgets()
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
    connect(m_graph, &FlowWidget::nodeActivated, this, &FlowPage::pin);
    connect(m_graph, &FlowWidget::edgeActivated, this, &FlowPage::chooseEdge);
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
        session().selectPair(m_content.tokens[row].back(), -1);
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
        session().releasePair();
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

/// A pin follows its token to where the selection moved it, and goes with the selection's.
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

// ------------------------------------------------------------------------------------- following

void FlowPage::refresh(ChangeSet changes)
{
    if (changes & Change::Selection)
        followSelection();
    if (changes & Change::Model && !std::exchange(m_restored, false)) {
        m_options.pinned.reset();
        m_options.edge.reset();
    }
    refreshControls();
    refreshShares();
}

void FlowPage::refreshControls()
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
void FlowPage::refreshShares()
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
    m_stop.request_stop();
    m_stop = {};
    const quint64 generation = ++m_generation;
    m_waits = flowCost(looking, m_options) > kAtOnce;
    if (!m_waits) {
        m_computed = looking;
        adopt(flowMixings(looking, m_options));
        return;
    }
    m_thread.run([this, looking, options = m_options, generation, stop = m_stop.get_token()] {
        if (generation == m_generation)
            follow(looking, options, generation, stop);
    });
    if (m_content.graph.tokens() == 0) // else the last picture stays
        m_count->setText(session().text().isEmpty() ? QString() : tr("following the paths"));
    refreshEmptyState();
}

/// On the other thread.
void FlowPage::follow(const Looking& looking, const FlowOptions& options, quint64 generation,
                      const std::stop_token& stop)
{
    const auto tell = [this, generation](double fraction) {
        QMetaObject::invokeMethod(this, [this, fraction, generation] {
            if (generation == m_generation && m_waits)
                m_count->setText(tr("following the paths, %1 %").arg(number(100.0 * fraction, 0)));
        });
    };
    try {
        const FlowMixings mixings = flowMixings(looking, options, stop, tell);
        QMetaObject::invokeMethod(this, [this, looking, mixings, generation] {
            if (generation != m_generation)
                return;
            m_computed = looking;
            m_waits = false;
            adopt(mixings);
        });
    } catch (const Cancelled&) {
        return; // something else is wanted
    }
}

void FlowPage::adopt(const FlowMixings& mixings)
{
    m_mixings = mixings;
    refreshGraph();
}

void FlowPage::refreshGraph()
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

void FlowPage::refreshEmptyState()
{
    const bool noModel = session().isBlank();
    const bool noText = session().text().isEmpty();
    const bool noLayers =
        m_mixings.a && m_mixings.a->layers.empty() && !m_waits && m_content.problem.isEmpty();
    m_empty->setVisible(noModel || noText || noLayers || !m_content.problem.isEmpty());
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else if (noText)
        m_empty->askForText(session(), tr("Type a sentence above: its paths appear here."));
    else if (noLayers)
        m_empty->setTexts(tr("There is nothing to follow"),
                          tr("This model has no layer with attention."), {});
    else
        m_empty->setTexts(tr("These shares cannot be had"), m_content.problem, {});
}

// ------------------------------------------------------------------------------------------- page

Figure FlowPage::figure() const
{
    return flowFigure(m_computed, m_options, m_mixings);
}

void FlowPage::focusMain()
{
    m_graph->setFocus(Qt::OtherFocusReason);
}

QJsonObject FlowPage::options() const
{
    return m_options.toJson();
}

void FlowPage::setOptions(const QJsonObject& options)
{
    m_options = FlowOptions::fromJson(options);
    m_restored = true;
    m_threshold->setNumber(m_options.threshold);
    m_renormalise->setChecked(m_options.renormalise);
    refresh({});
}

QString FlowPage::hint() const
{
    return tr("Click a dot: its paths, a line: its heads \u00B7 E steps \u00B7 Esc frees \u00B7 "
              "Ctrl+click: a share's origin");
}

} // namespace headscope::ui
