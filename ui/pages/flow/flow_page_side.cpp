// The column beside the graph: what is pinned, where it comes from, which heads carry an edge.
#include "ui/pages/flow/flow_number.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/widgets/flow/flow_widget.h"
#include "ui/widgets/labels.h"

#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr int kSideWidth = 272;
constexpr std::size_t kShownBars = 10;

/// The scale of the picture in words.
QString scaleWords(bool isSigned)
{
    return isSigned
               ? FlowPage::tr("Width is the difference of the shares: orange more in B, violet "
                              "less.")
               : FlowPage::tr("Width is the share, 0 to 1.");
}

} // namespace

QWidget* FlowPage::makeSide()
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

void FlowPage::refreshSide()
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
                            {},
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
                           "all.") +
                        QLatin1Char(' ') + scaleWords(graph.isSigned));
    } else {
        m_title->setText(tr("All edges"));
        m_text->setText(tr("Click a dot to see only the paths that lead into it, a line to see "
                           "the heads that carry it.") +
                        QLatin1Char(' ') + scaleWords(graph.isSigned));
    }
    m_sourcesTitle->setText(m_sources.size() < static_cast<std::size_t>(graph.tokens())
                                ? tr("Input tokens that reach it, share; %1 of %2")
                                      .arg(m_sources.size())
                                      .arg(graph.tokens())
                                : tr("Input tokens that reach it, share"));
    m_sourceBars->setBars(std::move(bars));
}

void FlowPage::refreshHeads()
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

// -------------------------------------------------------------------------- where a share is from

std::optional<FlowEdge> FlowPage::edgeAt(std::optional<QPoint> place) const
{
    const auto strongestInto = [this](std::optional<FlowNode> node) -> std::optional<FlowEdge> {
        const auto edges = node ? edgesInto(m_graph->drawn(), *node) : std::vector<FlowEdge>();
        return edges.empty() ? std::nullopt : std::optional(edges.front());
    };
    if (!place) {
        const FlowGraphContent& shown = m_graph->content();
        if (shown.edge)
            return shown.edge;
        return strongestInto(shown.cursor ? shown.cursor : shown.pinned);
    }
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
    return edge ? flowEdgeNumber(m_computed, m_options, m_content, *edge, &why) : std::nullopt;
}

QString FlowPage::noNumberWords() const
{
    QString why;
    const auto edge = edgeAt({});
    if (edge && !flowEdgeNumber(m_computed, m_options, m_content, *edge, &why) && !why.isEmpty())
        return why;
    return tr("Choose a line first, or a dot that a line leads into.");
}

} // namespace headscope::ui
