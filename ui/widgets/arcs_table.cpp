// What screen readers find in the arcs: queries as rows, keys as columns.
#include "ui/widgets/arcs_widget.h"

#include <cmath>

namespace headscope::ui {

int ArcsWidget::tableRows() const
{
    return m_content.isEmpty() ? 0 : static_cast<int>(m_content.queries.size());
}

int ArcsWidget::tableColumns() const
{
    return m_content.isEmpty() ? 0 : static_cast<int>(m_content.keys.size());
}

QString ArcsWidget::tableRowName(int row) const
{
    return m_content.queries.value(row);
}

QString ArcsWidget::tableColumnName(int column) const
{
    return m_content.keys.value(column);
}

QString ArcsWidget::tableCellWords(HeatmapCell cell) const
{
    return describePair(m_content, cell.row, cell.column);
}

QString ArcsWidget::tableCellValue(HeatmapCell cell) const
{
    return weightsOfPair(m_content, cell.row, cell.column);
}

QRect ArcsWidget::tableCellPlace(HeatmapCell cell) const
{
    const ArcsLayout layout = layoutNow();
    return layout.row({ArcSide::Query, cell.row})
        .united(layout.row({ArcSide::Key, cell.column}))
        .toAlignedRect();
}

/// The token in focus with the other token of the selected pair, else with its strongest partner.
std::optional<HeatmapCell> ArcsWidget::tableCurrent() const
{
    const auto focus = m_content.focus();
    if (!focus || m_content.isEmpty())
        return std::nullopt;
    const auto cellWith = [&](ArcEnd other) {
        return focus->side == ArcSide::Query ? HeatmapCell{focus->index, other.index}
                                             : HeatmapCell{other.index, focus->index};
    };
    if (m_content.pairedWith && focus == m_content.pinned)
        return cellWith(*m_content.pairedWith);
    std::optional<ArcLink> best;
    for (const ArcLink& link : strongestOf(m_content, *focus)) {
        if (link.weight != 0.0F && (!best || std::abs(link.weight) > std::abs(best->weight)))
            best = link;
    }
    if (!best)
        return std::nullopt;
    return HeatmapCell{best->query, best->key};
}

} // namespace headscope::ui
