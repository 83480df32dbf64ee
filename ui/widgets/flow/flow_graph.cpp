#include "ui/widgets/flow/flow_graph.h"

#include <QCoreApplication>
#include <QLineF>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::ui {

namespace {

constexpr double kLeastRow = 20.0;
constexpr double kWantedRow = 36.0;
constexpr double kWidestLabel = 120.0;
constexpr double kNodeReach = 9.0;
constexpr double kEdgeReach = 5.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("Flow", text);
}

double distanceTo(QPointF point, const QLineF& line)
{
    const QPointF along = line.p2() - line.p1();
    const double squared = QPointF::dotProduct(along, along);
    if (!(squared > 0.0))
        return QLineF(point, line.p1()).length();
    const double place =
        std::clamp(QPointF::dotProduct(point - line.p1(), along) / squared, 0.0, 1.0);
    return QLineF(point, line.pointAt(place)).length();
}

/// Leaves all edges of tokens into themselves and `most` others, in their order. Of equal ones the
/// earlier stay.
void keepStrongestCrossing(std::vector<FlowEdge>& edges, int most)
{
    const auto crosses = [](const FlowEdge& edge) { return edge.to != edge.from; };
    std::vector<float> sizes;
    for (const FlowEdge& edge : edges) {
        if (crosses(edge))
            sizes.push_back(std::abs(edge.share));
    }
    if (std::ssize(sizes) <= most)
        return;
    const auto last = sizes.begin() + (most - 1);
    std::nth_element(sizes.begin(), last, sizes.end(), std::greater<>());
    const float least = *last;
    auto ties = std::count(sizes.begin(), last + 1, least); // of the weakest that stay
    std::erase_if(edges, [&](const FlowEdge& edge) {
        const float size = std::abs(edge.share);
        return crosses(edge) && (size < least || (size == least && ties-- <= 0));
    });
}

} // namespace

bool FlowGraphContent::contains(FlowNode node) const
{
    return node.level >= 0 && node.level < levels && node.token >= 0 && node.token < tokens();
}

float FlowGraphContent::shareOf(const FlowEdge& wanted) const
{
    const auto layer = static_cast<std::size_t>(wanted.layer);
    const HeatmapCell cell{wanted.to, wanted.from};
    return wanted.layer >= 0 && layer < layers.size() && layers[layer].contains(cell)
               ? layers[layer].at(cell)
               : 0.0F;
}

int mostCrossingEdges(int tokens)
{
    return std::max(1000, 8 * tokens); // of long texts a part is in sight
}

std::vector<FlowEdge> drawnEdges(const FlowGraphContent& content)
{
    std::vector<FlowEdge> drawn;
    const float least = std::max(content.threshold, 1e-6F);
    for (std::size_t layer = 0; layer < content.layers.size(); ++layer) {
        const HeatmapMatrix& matrix = content.layers[layer];
        const float* value = matrix.values.get();
        for (int to = 0; to < matrix.rows; ++to)
            for (int from = 0; from < matrix.columns; ++from, ++value)
                if (std::abs(*value) >= least)
                    drawn.push_back({static_cast<int>(layer), to, from, *value});
    }
    keepStrongestCrossing(drawn, mostCrossingEdges(content.tokens()));
    return drawn;
}

FlowCount countOf(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn)
{
    FlowCount count;
    count.drawn = static_cast<long long>(drawn.size());
    double whole = 0.0;
    for (const HeatmapMatrix& matrix : content.layers) {
        const float* const values = matrix.values.get();
        const auto cells =
            static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            count.total += values[cell] != 0.0F ? 1 : 0;
            whole += std::abs(double{values[cell]});
        }
    }
    for (const FlowEdge& edge : drawn)
        count.drawnShare += std::abs(double{edge.share});
    count.drawnShare = whole > 0.0 ? count.drawnShare / whole : 1.0;
    return count;
}

std::vector<FlowEdge> edgesInto(const std::vector<FlowEdge>& drawn, FlowNode node)
{
    std::vector<FlowEdge> edges;
    for (const FlowEdge& edge : drawn) {
        if (edge.layer + 1 == node.level && edge.to == node.token)
            edges.push_back(edge);
    }
    std::stable_sort(edges.begin(), edges.end(), [](const FlowEdge& a, const FlowEdge& b) {
        return std::abs(a.share) > std::abs(b.share);
    });
    return edges;
}

FlowLayout::FlowLayout(QRectF area, const FlowGraphContent& content, const Theme& theme)
    : m_area(area)
    , m_header(28.0 * theme.scale())
    , m_tokens(content.tokens())
    , m_levels(content.levels)
{
    const QFontMetricsF metrics(theme.bold(TextRole::MapToken));
    for (const QString& label : content.labels)
        m_label = std::max(m_label, metrics.horizontalAdvance(label));
    m_label = std::min(m_label, kWidestLabel * theme.scale()) + 16.0;
    const double room = area.height() - m_header;
    m_row = m_tokens > 0
                ? std::clamp(room / m_tokens, kLeastRow * theme.scale(), kWantedRow * theme.scale())
                : 0.0;
    m_step = m_levels > 1 ? (area.width() - 2.0 * m_label - 16.0) / (m_levels - 1) : 0.0;
}

double FlowLayout::wantedHeight(int tokens, const Theme& theme)
{
    return (28.0 + kWantedRow * tokens) * theme.scale();
}

double FlowLayout::leastHeight(int tokens, const Theme& theme)
{
    return (28.0 + kLeastRow * tokens) * theme.scale();
}

QPointF FlowLayout::place(FlowNode node) const
{
    return {m_area.x() + m_label + 8.0 + m_step * node.level,
            m_area.y() + m_header + m_row * (node.token + 0.5)};
}

QRectF FlowLayout::labelRect(int token, bool right) const
{
    const double x = right ? m_area.right() - m_label : m_area.x();
    return {x, m_area.y() + m_header + m_row * token, m_label, m_row};
}

std::optional<FlowNode> FlowLayout::nodeAt(QPointF point) const
{
    if (m_tokens == 0 || m_row <= 0.0)
        return std::nullopt;
    const double row = (point.y() - m_area.y() - m_header) / m_row;
    const int token = static_cast<int>(std::floor(row));
    if (row < 0.0 || token >= m_tokens)
        return std::nullopt;
    if (point.x() <= m_area.x() + m_label) // the label belongs to its node
        return FlowNode{0, token};
    if (point.x() >= m_area.right() - m_label)
        return FlowNode{m_levels - 1, token};
    const double column = m_step > 0.0 ? (point.x() - m_area.x() - m_label - 8.0) / m_step : 0.0;
    const FlowNode node{std::clamp(qRound(column), 0, m_levels - 1), token};
    const double reach = std::min(kNodeReach, m_row / 2.0);
    return QLineF(point, place(node)).length() <= reach ? std::optional(node) : std::nullopt;
}

std::optional<FlowEdge> FlowLayout::edgeAt(QPointF point, const std::vector<FlowEdge>& drawn) const
{
    if (m_step <= 0.0)
        return std::nullopt;
    const int layer =
        static_cast<int>(std::floor((point.x() - m_area.x() - m_label - 8.0) / m_step));
    std::optional<FlowEdge> nearest;
    double least = kEdgeReach;
    for (const FlowEdge& edge : drawn) {
        if (edge.layer != layer)
            continue;
        const QLineF line(place({layer, edge.from}), place({layer + 1, edge.to}));
        const double distance = distanceTo(point, line);
        if (distance < least) {
            least = distance;
            nearest = edge;
        }
    }
    return nearest;
}

QString levelName(int level)
{
    return level == 0 ? tr("input") : tr("layer %1").arg(level - 1);
}

QString describeNode(const FlowGraphContent& content, FlowNode node)
{
    const QString label = content.labels.value(node.token);
    QString text =
        node.level == 0
            ? tr("“%1”, %2, input").arg(label).arg(node.token)
            : tr("“%1”, %2, after layer %3").arg(label).arg(node.token).arg(node.level - 1);
    const auto level = static_cast<std::size_t>(node.level);
    if (!content.isSigned && content.pinned && level < content.nodes.size())
        text +=
            tr("; carries %1 of “%2” after %3")
                .arg(readoutNumber(
                    double{content.nodes[level][static_cast<std::size_t>(node.token)]}))
                .arg(content.labels.value(content.pinned->token), levelName(content.pinned->level));
    if (content.pinned == node)
        text += tr("; pinned");
    return text;
}

QString describeEdge(const FlowGraphContent& content, const FlowEdge& edge)
{
    const double share = double{content.shareOf(edge)};
    const QString value = content.isSigned ? tr("difference %1").arg(signedNumber(share, 3))
                                           : tr("share %1").arg(readoutNumber(share));
    if (edge.from == edge.to)
        return tr("“%1” to itself in layer %2: %3")
            .arg(content.labels.value(edge.to))
            .arg(edge.layer)
            .arg(value);
    return tr("“%1” into “%2” in layer %3: %4")
        .arg(content.labels.value(edge.from), content.labels.value(edge.to))
        .arg(edge.layer)
        .arg(value);
}

QString describeEdgesInto(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn,
                          FlowNode node)
{
    constexpr std::size_t kNamed = 8;
    if (node.level == 0)
        return {};
    const std::vector<FlowEdge> edges = edgesInto(drawn, node);
    QStringList words;
    for (std::size_t index = 0; index < std::min(edges.size(), kNamed); ++index) {
        const FlowEdge& edge = edges[index];
        const double share = double{edge.share};
        const QString from = edge.from == edge.to
                                 ? tr("itself")
                                 : QStringLiteral("“%1”").arg(content.labels.value(edge.from));
        words << tr("from %1 %2")
                     .arg(from, content.isSigned ? signedNumber(share, 3) : readoutNumber(share));
    }
    if (edges.size() > kNamed)
        words << tr("and %1 weaker").arg(edges.size() - kNamed);
    return words.empty() ? tr("no edge into it is drawn") : words.join(QStringLiteral(", "));
}

} // namespace headscope::ui
