#include "ui/pages/mask/mask_figure.h"

#include "ui/pages/mask/mask_content.h"
#include "ui/pages/mask/mask_plot.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kLegend = 40.0;
constexpr double kCounts = 60.0; ///< Width beside the rows.

HeatmapOptions mapOptions()
{
    HeatmapOptions options;
    options.numbers = false;
    return options;
}

QSizeF wantedSize(const HeatmapContent& content, const Theme& theme)
{
    const HeatmapOptions options = mapOptions();
    const double cell = figureCell(std::max(content.matrix.rows, content.matrix.columns), theme);
    const QMarginsF margins = heatmapMargins(content, options, theme);
    return {std::max(cell * content.matrix.columns + margins.left() + margins.right() +
                         kCounts * theme.scale(),
                     520.0 * theme.scale()),
            cell * content.matrix.rows + margins.top() + margins.bottom() +
                kLegend * theme.scale()};
}

void paintMask(QPainter& painter, QRectF area, const HeatmapContent& content, const Theme& theme,
               const FigureTarget& target)
{
    HeatmapOptions options = mapOptions();
    options.cellsAsShapes = target.vectors;
    const double legend = kLegend * theme.scale();
    const HeatmapLayout layout(area.adjusted(0, 0, -kCounts * theme.scale(), -legend), content,
                               options, theme, target.pixelRatio);
    QImage image = heatmapImage(content, theme, layout.imageSize());
    if (target.vectors && !image.isNull())
        image = image.scaled(image.size() *
                                 std::clamp(2048 / std::max(image.width(), image.height()), 1, 8),
                             Qt::IgnoreAspectRatio, Qt::FastTransformation);
    paintHeatmap(painter, layout, image, content, options, theme);
    paintRowCounts(painter, layout, visibleKeys(content), theme);
    paintMaskLegend(painter,
                    QRectF(layout.cells().x(), layout.cells().bottom() + 16.0,
                           area.right() - layout.cells().x(), legend - 16.0),
                    content, theme);
}

NumberTable tableOf(const HeatmapContent& content)
{
    std::vector<float> values;
    for (int row = 0; row < content.matrix.rows; ++row)
        for (int column = 0; column < content.matrix.columns; ++column)
            values.push_back(content.isHidden({row, column}) ? 0.0F : 1.0F);
    return {QStringLiteral("mask"), content.rowLabels, content.columnLabels,
            HeatmapMatrix::copyOf(std::move(values), content.matrix.rows, content.matrix.columns)};
}

} // namespace

Figure maskFigure(const ViewSnapshot& view, const QJsonObject&)
{
    Figure figure = figureOf(view, tr("Mask"));
    const HeatmapContent content =
        maskOfVariant(view, view.shown == Variant::A ? Variant::A : Variant::B);
    if (content.matrix.isEmpty())
        return figure;
    figure.caption = tr("Which keys (columns) each query (row) can attend to: %1; %2.")
                         .arg(describeMask(content.mask), countAllowed(content));
    figure.size = [content](const Theme& theme) { return wantedSize(content, theme); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget& target) {
        paintMask(painter, area, content, theme, target);
    };
    figure.numbers.push_back(tableOf(content));
    return figure;
}

} // namespace headscope::ui
