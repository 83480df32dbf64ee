#pragma once

#include "ui/widgets/flow/flow_graph.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Layout of the nodes: tokens down, layers to the right.
class FlowLayout
{
public:
    FlowLayout(QRectF area, const FlowGraphContent& content, const Theme& theme);

    QPointF place(FlowNode node) const;
    QRectF labelRect(int token, bool right) const;

    double rowHeight() const { return m_row; }

    /// Node at a point, or the drawn edge within a few pixels of it.
    std::optional<FlowNode> nodeAt(QPointF point) const;
    std::optional<FlowEdge> edgeAt(QPointF point, const std::vector<FlowEdge>& drawn) const;

    /// Preferred height for comfortable rows.
    static double wantedHeight(int tokens, const Theme& theme);
    static double leastHeight(int tokens, const Theme& theme);

private:
    QRectF m_area;
    double m_label = 0.0;
    double m_header = 0.0;
    double m_row = 0.0;
    double m_step = 0.0;
    int m_tokens = 0;
    int m_levels = 0;
};

} // namespace headscope::ui
