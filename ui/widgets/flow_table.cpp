// What screen readers find in a flow graph: tokens as rows, levels as columns.
#include "ui/widgets/flow_widget.h"

namespace headscope::ui {

int FlowWidget::tableRows() const
{
    return m_content.levels > 0 ? m_content.tokens() : 0;
}

int FlowWidget::tableColumns() const
{
    return m_content.levels;
}

QString FlowWidget::tableRowName(int row) const
{
    return m_content.labels.value(row);
}

QString FlowWidget::tableColumnName(int column) const
{
    return levelName(column);
}

QString FlowWidget::tableCellWords(HeatmapCell cell) const
{
    const FlowNode node{cell.column, cell.row};
    const QString edges = describeEdgesInto(m_content, m_drawn, node);
    const QString words = describeNode(m_content, node);
    return edges.isEmpty() ? words : words + QStringLiteral("; ") + edges;
}

QString FlowWidget::tableCellValue(HeatmapCell cell) const
{
    return describeEdgesInto(m_content, m_drawn, {cell.column, cell.row});
}

QRect FlowWidget::tableCellPlace(HeatmapCell cell) const
{
    const FlowLayout layout = layoutNow();
    const QPointF place = layout.place({cell.column, cell.row});
    const double side = layout.rowHeight();
    return QRectF(place.x() - side / 2.0, place.y() - side / 2.0, side, side).toAlignedRect();
}

std::optional<HeatmapCell> FlowWidget::tableCurrent() const
{
    if (!m_content.cursor)
        return std::nullopt;
    return HeatmapCell{m_content.cursor->token, m_content.cursor->level};
}

} // namespace headscope::ui
