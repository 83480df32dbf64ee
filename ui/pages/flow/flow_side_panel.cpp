#include "ui/pages/flow/flow_side_panel.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr int kWidth = 272;
constexpr std::size_t kShownBars = 10;

} // namespace

FlowSidePanel::FlowSidePanel(QWidget* parent)
    : QWidget(parent)
    , m_title(heading({}, this))
    , m_text(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_sourcesTitle(caption({}, this))
    , m_sourceBars(new BarsWidget(this))
    , m_edgeTitle(heading({}, this))
    , m_edgeText(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_headBars(new BarsWidget(this))
{
    setFixedWidth(kWidth);
    m_sourceBars->setAccessibleName(tr("Input tokens by weight"));
    m_headBars->setAccessibleName(tr("Heads that carry the edge"));
    for (TextLabel* label : {m_title, m_text, m_sourcesTitle, m_edgeTitle, m_edgeText})
        label->setWordWrap(true);
    columnOf(8,
             {m_title, m_text, m_sourcesTitle, m_sourceBars, Placed::gap(8), m_edgeTitle,
              m_edgeText, m_headBars, Placed::space()},
             this);
    connect(m_headBars, &BarsWidget::barActivated, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (place < m_heads.heads.size())
            emit headChosen(m_heads.heads[place]);
    });
    connect(m_sourceBars, &BarsWidget::barActivated, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (place < m_sources.size())
            emit sourceChosen(m_sources[place]);
    });
}

/// Description of the graph's scale, and what its weights leave out.
QString FlowSidePanel::scaleText(const FlowContent& content) const
{
    const QString scale =
        content.graph.isSigned
            ? tr("Width is the difference in weight: orange more in B, violet less.")
            : tr("Width is the weight, 0 to 1.");
    const QString sinks = sinkText(content);
    return sinks.isEmpty() ? scale : scale + QLatin1Char(' ') + sinks;
}

/// Input tokens that reach the pinned node, strongest first.
std::vector<Bar> FlowSidePanel::takeSources(const FlowGraphContent& graph)
{
    std::vector<Bar> bars;
    m_sources.clear();
    if (!graph.pinned || graph.nodes.empty())
        return bars;
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
                        {},
                        bars.empty()});
    return bars;
}

void FlowSidePanel::showTitle(const FlowContent& content)
{
    const FlowGraphContent& graph = content.graph;
    m_title->setVisible(graph.tokens() > 0);
    m_text->setVisible(graph.tokens() > 0);
    const QString scale = QLatin1Char(' ') + scaleText(content);
    if (!graph.pinned) {
        m_title->setText(tr("All edges"));
        m_text->setText(tr("Click a dot to see only the paths that lead into it, or a line to "
                           "see the heads that carry it.") +
                        scale);
        return;
    }
    const QString token = graph.labels.value(graph.pinned->token);
    m_title->setText(
        graph.pinned->level == 0
            ? tr("\u201C%1\u201D, input").arg(token)
            : tr("\u201C%1\u201D after layer %2").arg(token).arg(graph.pinned->level - 1));
    m_text->setText(tr("Only paths into this node are drawn. Click it again or press Esc to see "
                       "all.") +
                    scale);
}

void FlowSidePanel::showPaths(const FlowContent& content)
{
    const FlowGraphContent& graph = content.graph;
    std::vector<Bar> bars = takeSources(graph);
    showTitle(content);
    m_sourcesTitle->setVisible(!bars.empty());
    m_sourceBars->setVisible(!bars.empty());
    m_sourcesTitle->setText(m_sources.size() < static_cast<std::size_t>(graph.tokens())
                                ? tr("Input tokens that reach it, weight; %1 of %2")
                                      .arg(m_sources.size())
                                      .arg(graph.tokens())
                                : tr("Input tokens that reach it, weight"));
    m_sourceBars->setBars(std::move(bars));
}

std::size_t FlowSidePanel::shownHeads() const
{
    return std::min(m_heads.bars.size(), kShownBars);
}

QString FlowSidePanel::edgeText(const FlowGraphContent& graph, FlowMode mode) const
{
    QString text = graph.isSigned
                       ? tr("Difference in weight %1.").arg(signedNumber(m_heads.fraction, 3))
                       : tr("Weight %1.").arg(readoutNumber(m_heads.fraction));
    if (m_heads.residual > 0.0 && !graph.pinned && !graph.isSigned)
        text += QLatin1Char(' ') + tr("%1 of a token's weight on itself is the residual stream.")
                                       .arg(readoutNumber(m_heads.residual));
    text +=
        QLatin1Char(' ') + (mode == FlowMode::Contribution ? tr("Length of what each head adds:")
                                                           : tr("Attention weight of each head:"));
    if (shownHeads() < m_heads.bars.size())
        text += QLatin1Char(' ') + tr("(%1 of %2)").arg(shownHeads()).arg(m_heads.bars.size());
    return text;
}

void FlowSidePanel::showHeads(const FlowGraphContent& graph, const FlowEdgeHeads& heads,
                              FlowMode mode)
{
    m_heads = heads;
    const bool shown = graph.edge.has_value();
    m_edgeTitle->setVisible(shown);
    m_edgeText->setVisible(shown);
    m_headBars->setVisible(shown && !m_heads.bars.empty());
    if (!shown)
        return;
    const FlowEdge& edge = *graph.edge;
    m_edgeTitle->setText(tr("\u201C%1\u201D \u2192 \u201C%2\u201D, layer %3")
                             .arg(graph.labels.value(edge.from), graph.labels.value(edge.to))
                             .arg(edge.layer));
    m_edgeText->setText(edgeText(graph, mode));
    BarsOptions options;
    options.largest = mode == FlowMode::Contribution ? 0.0 : 1.0;
    m_headBars->setOptions(options);
    m_headBars->setBars(
        {m_heads.bars.begin(), m_heads.bars.begin() + static_cast<std::ptrdiff_t>(shownHeads())});
}

} // namespace headscope::ui
