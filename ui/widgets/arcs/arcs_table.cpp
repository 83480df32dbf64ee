#include "ui/widgets/arcs/arcs_table.h"

#include <cmath>
#include <optional>
#include <utility>

namespace headscope::ui {

namespace {

/// Focused token with the other token of the selected pair, else with its strongest partner.
std::optional<HeatmapCell> currentCell(const ArcsContent& content)
{
    const auto focus = content.focus();
    if (!focus || content.isEmpty())
        return std::nullopt;
    const auto cellWith = [&](ArcEnd other) {
        return focus->side == ArcSide::Query ? HeatmapCell{focus->index, other.index}
                                             : HeatmapCell{other.index, focus->index};
    };
    if (content.pairedWith && focus == content.pinned)
        return cellWith(*content.pairedWith);
    std::optional<ArcLink> best;
    for (const ArcLink& link : strongestOf(content, *focus)) {
        if (link.weight != 0.0F && (!best || std::abs(link.weight) > std::abs(best->weight)))
            best = link;
    }
    if (!best)
        return std::nullopt;
    return HeatmapCell{best->query, best->key};
}

} // namespace

ReadableTable arcsTable(const ArcsContent& content, std::function<QRectF(HeatmapCell)> place)
{
    ReadableTable table;
    table.rows = content.isEmpty() ? 0 : static_cast<int>(content.queries.size());
    table.columns = content.isEmpty() ? 0 : static_cast<int>(content.keys.size());
    table.rowName = [&content](int row) { return content.queries.value(row); };
    table.columnName = [&content](int column) { return content.keys.value(column); };
    table.words = [&content](HeatmapCell cell) {
        return describePair(content, cell.row, cell.column);
    };
    table.value = [&content](HeatmapCell cell) {
        return weightsOfPair(content, cell.row, cell.column);
    };
    table.place = std::move(place);
    table.current = currentCell(content);
    return table;
}

} // namespace headscope::ui
