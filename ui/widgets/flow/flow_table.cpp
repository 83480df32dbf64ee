// What screen readers find in a flow graph: tokens as rows, levels as columns.
#include "ui/widgets/flow/flow_widget.h"

namespace headscope::ui {

ReadableTable FlowWidget::readable() const
{
    const auto edgesInto = [this](HeatmapCell cell) {
        return describeEdgesInto(m_content, m_drawn, {cell.column, cell.row});
    };
    ReadableTable table;
    table.rows = m_content.levels > 0 ? m_content.tokens() : 0;
    table.columns = m_content.levels;
    table.rowName = [this](int row) { return m_content.labels.value(row); };
    table.columnName = [](int column) { return levelName(column); };
    table.words = [this, edgesInto](HeatmapCell cell) {
        const QString edges = edgesInto(cell);
        const QString words = describeNode(m_content, {cell.column, cell.row});
        return edges.isEmpty() ? words : words + QStringLiteral("; ") + edges;
    };
    table.value = edgesInto;
    table.place = [this](HeatmapCell cell) {
        const FlowLayout layout = layoutNow();
        const QPointF place = layout.place({cell.column, cell.row});
        const double side = layout.rowHeight();
        return QRectF(place.x() - side / 2.0, place.y() - side / 2.0, side, side);
    };
    if (m_content.cursor)
        table.current = {m_content.cursor->token, m_content.cursor->level};
    return table;
}

} // namespace headscope::ui
