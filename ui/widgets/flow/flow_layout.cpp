#include "ui/widgets/flow/flow_layout.h"

#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLeastRow = 20.0;
constexpr double kWantedRow = 36.0;
constexpr double kWidestLabel = 120.0;
constexpr double kNodeReach = 9.0;
constexpr double kEdgeReach = 5.0;

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

} // namespace

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

} // namespace headscope::ui
