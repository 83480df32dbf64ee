#include "ui/widgets/flow/flow_table.h"

#include <utility>

namespace headscope::ui {

ReadableTable flowTable(const FlowGraphContent& content, const std::vector<FlowEdge>& drawn,
                        std::function<QRectF(HeatmapCell)> place)
{
    const auto edgesInto = [&content, &drawn](HeatmapCell cell) {
        return describeEdgesInto(content, drawn, {cell.column, cell.row});
    };
    ReadableTable table;
    table.rows = content.levels > 0 ? content.tokens() : 0;
    table.columns = content.levels;
    table.rowName = [&content](int row) { return content.labels.value(row); };
    table.columnName = [](int column) { return levelName(column); };
    table.words = [&content, edgesInto](HeatmapCell cell) {
        const QString edges = edgesInto(cell);
        const QString words = describeNode(content, {cell.column, cell.row});
        return edges.isEmpty() ? words : words + QStringLiteral("; ") + edges;
    };
    table.value = edgesInto;
    table.place = std::move(place);
    if (content.cursor)
        table.current = {content.cursor->token, content.cursor->level};
    return table;
}

} // namespace headscope::ui
