// Size requests of lab figures, and drawing without a widget.
#include "ui/pages/shared/stages/lab_plot.h"

#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/diagrams/box_diagram.h"
#include "ui/widgets/diagrams/tiles.h"
#include "ui/widgets/diagrams/token_rows_diagram.h"
#include "ui/widgets/diagrams/tree_diagram.h"
#include "ui/widgets/heatmap/heatmap_paint.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kTableRow = 32.0;
constexpr double kScrollBar = 14.0;
constexpr double kLegendHeight = 52.0;
constexpr double kPlayRow = 40.0;
constexpr double kLeastBar = 18.0;
constexpr double kUsualBar = 24.0;
constexpr std::size_t kMostRowsAtOnce = 12; ///< More rows scroll.

RoomNeed needOf(const LabChart& chart, const Theme& theme)
{
    constexpr double kLeastPlot = 190.0;
    constexpr double kLeastHeight = 210.0;
    const double beside = chartContent(chart, theme).rightRoom + LineChartAxes::leftEdge(theme);
    return {QSizeF(beside + kLeastPlot * theme.scale(), kLeastHeight * theme.scale()),
            QSizeF(520, 300) * theme.scale(), true, true};
}

RoomNeed needOf(const LabBars& bars, const Theme& theme)
{
    const auto rows = static_cast<double>(bars.bars.size());
    const double scale = theme.scale();
    return {QSizeF(230, std::min(rows, 16.0) * kLeastBar) * scale,
            QSizeF(420, rows * kUsualBar) * scale, false, true};
}

RoomNeed needOf(const LabMatrix& matrix, const Theme& theme)
{
    const HeatmapContent content = matrixContent(matrix);
    const QMarginsF margins = heatmapMargins(content, matrixOptions(matrix), theme);
    const double scale = theme.scale();
    const QSizeF around(margins.left() + margins.right(),
                        margins.top() + margins.bottom() + kLegendHeight * scale);
    const double digits =
        matrix.decimals < 0
            ? 0.0
            : QFontMetricsF(theme.font(TextRole::Caption))
                  .horizontalAdvance(number(std::max(std::abs(matrix.low), std::abs(matrix.high)),
                                            matrix.decimals) +
                                     QLatin1Char('0'));
    const double least = std::max(9.0 * scale, std::min(digits, 40.0 * scale));
    const QSizeF cells(static_cast<double>(matrix.columnLabels.size()),
                       static_cast<double>(matrix.rowLabels.size()));
    RoomNeed request;
    constexpr double kReadable = 170.0; // Longer side of a map with many cells.
    const double longest = std::max({cells.width(), cells.height(), 1.0});
    request.least = around + cells * std::min(least, kReadable * scale / longest);
    request.best = around + cells * std::max(least, 44.0 * scale);
    request.best = request.best.boundedTo(QSizeF(640, 520) * scale).expandedTo(request.least);
    request.grows = request.growsWide = false;
    return request;
}

RoomNeed needOf(const LabTable& table, const Theme& theme)
{
    double width = 20.0; // Includes its scroll bar.
    for (const FactColumn& column : tableColumns(table, theme))
        width += column.width * theme.scale();
    const std::size_t rows = std::min(table.rows.size(), kMostRowsAtOnce);
    const double row = kTableRow * theme.scale();
    RoomNeed request;
    const double bar = kScrollBar * theme.scale(); // below the rows where the table is wider
    request.best = QSizeF(width, row * static_cast<double>(rows + 1) + bar);
    request.least =
        QSizeF(width, row * static_cast<double>(std::min<std::size_t>(rows, 5) + 1) + bar);
    request.grows = table.rows.size() > kMostRowsAtOnce;
    request.growsWide = false;
    return request;
}

RoomNeed needOf(const LabTokens& tokens, const Theme& theme)
{
    const double scale = theme.scale();
    const double width = 640.0 * scale;
    const double height = tokenRowsHeight(tokens, width, theme) + 8.0;
    const double least =
        82.0 * scale * static_cast<double>(std::max<std::size_t>(tokens.rows.size(), 1));
    return {{320.0 * scale, std::min(least, height)}, {width, height}, false, true};
}

RoomNeed needOf(const LabTree& tree, const Theme& theme)
{
    return {treeSize(tree, theme, false), treeSize(tree, theme, true), true, true};
}

RoomNeed needOf(const LabTiles& tiles, const Theme& theme)
{
    const double scale = theme.scale();
    const QSizeF play(0.0, kPlayRow * scale);
    const QSizeF best = tilesSize(tiles, theme) + play;
    return {(QSizeF(360, 220) * scale).boundedTo(best), best, true, false};
}

RoomNeed needOf(const LabDiagram& diagram, const Theme& theme)
{
    return {boxDiagramSize(diagram, theme, false), boxDiagramSize(diagram, theme, true), true,
            true};
}

// -------------------------------------------------------------------------------- without widgets

struct Drawing
{
    QPainter& painter;
    QRectF area;
    const Theme& theme;
    const FigureTarget& target;
    int frame;
};

void draw(const Drawing& to, const LabChart& chart)
{
    const LineChartContent content = chartContent(chart, to.theme);
    paintLineChart(to.painter, to.area, content, to.theme);
}

void draw(const Drawing& to, const LabBars& bars)
{
    paintBars(to.painter, to.area, barsContent(bars), barsOptions(bars), to.theme);
}

void draw(const Drawing& to, const LabMatrix& matrix)
{
    const HeatmapContent content = matrixContent(matrix);
    HeatmapOptions options = matrixOptions(matrix);
    options.cellsAsShapes = to.target.vectors;
    const double legend = kLegendHeight * to.theme.scale();
    const HeatmapLayout layout(to.area.adjusted(0, 0, 0, -legend), content, options, to.theme,
                               to.target.pixelRatio);
    paintHeatmap(to.painter, layout, heatmapImage(content, to.theme, layout.imageSize()), content,
                 options, to.theme);
    const double below = std::min(layout.viewport().bottom() + 8.0, to.area.bottom() - legend);
    paintColourBar(to.painter, {to.area.x(), below + 4.0, to.area.width(), legend},
                   matrixLegend(matrix), to.theme);
}

void draw(const Drawing& to, const LabTable& table)
{
    const Theme& theme = to.theme;
    const double row = kTableRow * theme.scale();
    const std::vector<FactColumn> columns = tableColumns(table, theme);
    double x = to.area.x();
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const double width = columns[column].width * theme.scale() - 16.0;
        const auto side = columns[column].isNumber ? Qt::AlignRight : Qt::AlignLeft;
        const auto write = [&](double y, const QString& text) {
            to.painter.drawText(QRectF(x + 8.0, y, width, row), side | Qt::AlignVCenter, text);
        };
        to.painter.setFont(theme.bold(TextRole::Body));
        to.painter.setPen(theme.text2);
        write(to.area.y(), columns[column].title);
        for (std::size_t index = 0; index < table.rows.size(); ++index) {
            if (column >= table.rows[index].size())
                continue;
            const bool isCurrent = static_cast<int>(index) == table.current;
            to.painter.setFont(isCurrent ? theme.bold(TextRole::Table)
                                         : theme.font(TextRole::Table));
            to.painter.setPen(isCurrent ? theme.accent : theme.text);
            write(to.area.y() + row * static_cast<double>(index + 1),
                  QString::fromStdString(table.rows[index][column]));
        }
        x += width + 16.0;
    }
}

void draw(const Drawing& to, const LabTokens& tokens)
{
    paintTokenRows(to.painter, to.area, tokens, to.theme);
}

void draw(const Drawing& to, const LabTree& tree)
{
    paintTree(to.painter, to.area, tree, to.theme);
}

void draw(const Drawing& to, const LabTiles& tiles)
{
    paintTiles(to.painter, to.area, tiles,
               to.frame < 0 ? static_cast<int>(tiles.tiles.size()) : to.frame, to.theme);
}

void draw(const Drawing& to, const LabDiagram& diagram)
{
    paintBoxDiagram(to.painter, to.area, diagram, to.theme);
}

} // namespace

RoomNeed roomNeed(const LabPlot& plot, const Theme& theme)
{
    return std::visit([&theme](const auto& one) { return needOf(one, theme); }, plot);
}

void paintDiagram(QPainter& painter, const QRectF& area, const LabPlot& plot, const Theme& theme,
                  const FigureTarget& target, int frame)
{
    const Drawing to{painter, area, theme, target, frame};
    std::visit([&to](const auto& one) { draw(to, one); }, plot);
}

} // namespace headscope::ui
