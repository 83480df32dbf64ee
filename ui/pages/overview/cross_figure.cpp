#include "ui/pages/overview/cross_figure.h"
#include "ui/widgets/attention/alignment_paint.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kGap = 32.0;
constexpr double kLegend = 56.0;

double mapSide(const CrossContent& content, const Theme& theme)
{
    const int cells = std::max(content.pattern.matrix.rows, content.pattern.matrix.columns);
    return std::clamp(cells * 32.0, 320.0, 900.0) * theme.scale();
}

void paintCross(QPainter& painter, const QRectF& area, const CrossContent& content,
                const ViewSnapshot& view, const CrossOptions& options, const Theme& theme,
                const FigureTarget& target)
{
    const double ribbons = AlignmentLayout::height(theme);
    const AlignmentContent alignment = crossAlignment(content, options, false);
    paintAlignment(
        painter,
        AlignmentLayout(QRectF(area.x(), area.y(), area.width(), ribbons), alignment, theme),
        alignment, theme);
    const double legend = kLegend * theme.scale();
    const QRectF below = area.adjusted(0, ribbons + kGap, 0, -legend);
    const HeatmapContent map = crossMap(content, view);
    HeatmapOptions how;
    how.cellsAsShapes = target.vectors && std::max(map.matrix.rows, map.matrix.columns) <= 64;
    const HeatmapLayout layout(below, map, how, theme, target.pixelRatio);
    paintHeatmap(painter, layout, crispImage(heatmapImage(map, theme, layout.imageSize()), target),
                 map, how, theme);
    paintColourBar(painter,
                   QRectF(layout.cells().left(), area.bottom() - legend + 8.0,
                          280.0 * theme.scale(), legend - 8.0),
                   crossLegend(content, view), theme);
}

} // namespace

Figure crossFigure(const ViewSnapshot& view, const CrossOptions& options)
{
    Figure figure = figureOf(view, tr("Alignment of source and target"));
    const CrossContent content = crossContent(view, options);
    if (content.isEmpty())
        return figure;
    figure.caption =
        tr("Cross-attention, %1: how strongly each target token looks at each source token while "
           "the next one is written. %2. %3.")
            .arg(content.what, crossLegend(content, view).title,
                 ribbonCountText(crossAlignment(content, options, false)));
    if (!content.leftOut.isEmpty())
        figure.caption += QLatin1Char(' ') + content.leftOut;
    if (options.pinned && content.row)
        figure.caption +=
            QLatin1Char(' ') + crossSentence(content, *content.row) + QLatin1Char('.');
    figure.size = [content](const Theme& theme) {
        const double side = mapSide(content, theme);
        return QSizeF(std::max(side, 640.0 * theme.scale()),
                      AlignmentLayout::height(theme) + kGap + side + kLegend * theme.scale());
    };
    figure.paint = [content, view, options](QPainter& painter, const QRectF& area,
                                            const Theme& theme, const FigureTarget& target) {
        paintCross(painter, area, content, view, options, theme, target);
    };
    figure.numbers.push_back({QStringLiteral("alignment"), crossMap(content, view).rowLabels,
                              content.pattern.columnLabels, content.pattern.matrix});
    return figure;
}

Figure crossFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    return crossFigure(view, CrossOptions::fromJson(options));
}

} // namespace headscope::ui
