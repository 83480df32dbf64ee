#include "ui/pages/weights/weights_figure.h"

#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 12.0;

/// Cells stay an image in vector files: a matrix has too many for shapes.
HeatmapOptions mapOptions()
{
    HeatmapOptions options;
    options.square = false;
    options.corner = false;
    return options;
}

void paintMap(QPainter& painter, const QRectF& area, const MapWithLegend& shown, const Theme& theme,
              const FigureTarget& target)
{
    const HeatmapOptions options = mapOptions();
    const double legend = kLegend * theme.scale();
    const HeatmapLayout layout(area.adjusted(0, 0, 0, -legend - kGap), shown.map, options, theme,
                               target.pixelRatio);
    const QImage image = heatmapImage(shown.map, theme, layout.imageSize());
    paintHeatmap(painter, layout, crispImage(image, target), shown.map, options, theme);
    paintColourBar(painter,
                   QRectF(layout.cells().x(), area.bottom() - legend,
                          area.right() - layout.cells().x(), legend),
                   shown.legend, theme);
}

} // namespace

Figure weightsFigure(const ViewSnapshot& view, const WeightSubject& subject, const WeightMap& map,
                     const WeightsOptions& options)
{
    Figure figure =
        figureOf(view, tr("Weights: %1").arg(QString::fromStdString(subject.matrix.name)));
    const MapWithLegend shown = weightsMap(subject, map, options, view.model());
    figure.caption = tr("%1. Rows are inputs and columns outputs, as in y = x W. %2.")
                         .arg(matrixText(subject, nullptr, view.model()), shown.legend.title);
    figure.size = [](const Theme& theme) {
        return QSizeF(720.0 * theme.scale(), 560.0 * theme.scale());
    };
    figure.paint = [shown](QPainter& painter, const QRectF& area, const Theme& theme,
                           const FigureTarget& target) {
        paintMap(painter, area, shown, theme, target);
    };
    figure.numbers.push_back(
        {QStringLiteral("weights"), shown.map.rowLabels, shown.map.columnLabels, shown.map.matrix});
    return figure;
}

Figure weightsFigure(const ViewSnapshot& view, const QJsonObject& json)
{
    WeightsOptions options = weightsOptions(json);
    const WeightSubject subject = weightSubject(view, options);
    if (subject.isEmpty())
        return figureOf(view, tr("Weights"));
    const WeightReader reader(subject.model, subject.matrix, subject.minus);
    return weightsFigure(view, subject, weightMap(reader, mapRequest(subject.matrix, options)),
                         options);
}

} // namespace headscope::ui
