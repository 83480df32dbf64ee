#include "ui/pages/causal/marked_map.h"

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QPainter>

namespace headscope::ui {

QStringList numberLabels(int count)
{
    QStringList labels;
    for (int index = 0; index < count; ++index)
        labels << QString::number(index);
    return labels;
}

void paintMarks(QPainter& painter, const HeatmapLayout& layout, const std::vector<bool>& marks,
                const Theme& theme)
{
    const int rows = layout.rows();
    const int columns = layout.columns();
    if (static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) != marks.size())
        return;
    const auto isMarked = [&](int row, int column) {
        return row >= 0 && column >= 0 && row < rows && column < columns &&
               marks[static_cast<std::size_t>(row * columns + column)];
    };
    painter.save();
    painter.setClipRect(layout.viewport().adjusted(-2, -2, 2, 2));
    painter.setPen(QPen(theme.accent, 2.0));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            if (!isMarked(row, column))
                continue;
            const QRectF cell = layout.cellRect({row, column});
            if (!isMarked(row - 1, column))
                painter.drawLine(cell.topLeft(), cell.topRight());
            if (!isMarked(row + 1, column))
                painter.drawLine(cell.bottomLeft(), cell.bottomRight());
            if (!isMarked(row, column - 1))
                painter.drawLine(cell.topLeft(), cell.bottomLeft());
            if (!isMarked(row, column + 1))
                painter.drawLine(cell.topRight(), cell.bottomRight());
        }
    painter.restore();
}

} // namespace headscope::ui
