#include "ui/pages/shared/figures/head_figure.h"

#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/heatmap/heatmap_sums.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 12.0;

template<class Value>
struct Named
{
    const char* name;
    Value value;
};

constexpr Named<MapScale> kScales[] = {{"absolute", MapScale::Absolute},
                                       {"head", MapScale::PerHead},
                                       {"row", MapScale::PerRow},
                                       {"log", MapScale::Log},
                                       {"percentile", MapScale::Percentile}};

template<class Value, std::size_t Count>
Value named(const Named<Value> (&known)[Count], const QJsonValue& value)
{
    for (const Named<Value>& entry : known) {
        if (value.toString() == QLatin1String(entry.name))
            return entry.value;
    }
    return known[0].value;
}

template<class Value, std::size_t Count>
QString nameOf(const Named<Value> (&known)[Count], Value value)
{
    return QLatin1String(known[static_cast<std::size_t>(value)].name);
}

QSizeF wantedSize(const HeatmapContent& map, const Theme& theme)
{
    const HeatmapOptions options;
    const double cell = figureCell(std::max(map.matrix.rows, map.matrix.columns), theme);
    const QMarginsF margins = heatmapMargins(map, options, theme);
    const double sink = HeatmapLayout::sinkSpace(map, cell);
    return {std::max(std::ceil(cell * map.matrix.columns + sink) + margins.left() + margins.right(),
                     520.0 * theme.scale()),
            std::ceil(cell * map.matrix.rows) + margins.top() + margins.bottom() + kGap +
                kLegend * theme.scale()};
}

void paintHead(QPainter& painter, const QRectF& area, const MapWithLegend& shown,
               const Theme& theme, const FigureTarget& target)
{
    HeatmapOptions options;
    options.cellsAsShapes = target.vectors;
    const double legend = kLegend * theme.scale();
    const HeatmapLayout layout(area.adjusted(0, 0, 0, -legend - kGap), shown.map, options, theme,
                               target.pixelRatio);
    const QImage image = heatmapImage(shown.map, theme, layout.imageSize());
    paintHeatmap(painter, layout, crispImage(image, target), shown.map, options, theme);
    const double below = layout.cells().bottom() + sumStrips(shown.map, theme).height() + kGap;
    paintColourBar(painter,
                   QRectF(layout.cells().x(), std::min(below, area.bottom() - legend),
                          area.right() - layout.cells().x(), legend),
                   shown.legend, theme);
}

QString captionOf(const MapWithLegend& shown, const ViewSnapshot& view)
{
    QString text = tr("Each row is one query, each column one key. %1.").arg(shown.legend.title);
    if (!shown.map.rowSums.empty())
        text += tr(" Right of the rows their sums; below the columns the total weight that each "
                   "key receives.");
    if (!shown.map.sink.empty() && shown.map.scale.isSigned())
        text += tr(" The column on the right is the attention sink.");
    else if (!shown.map.sink.empty())
        text += tr(" The column on the right is the attention sink: a row and its sink sum to 1.");
    if (shown.hidesTokens)
        text += QLatin1Char(' ') + renormalisedText(view, shown.hiddenMass, shown.faintRows.size());
    return text;
}

} // namespace

HeadOptions headOptions(const QJsonObject& options)
{
    return {mapKindNamed(options.value(QLatin1String("kind")).toString()),
            named(kScales, options.value(QLatin1String("scale"))),
            options.value(QLatin1String("sums")).toBool(true)};
}

QJsonObject toJson(const HeadOptions& options)
{
    return {{QStringLiteral("kind"), toJson(options.kind)},
            {QStringLiteral("scale"), nameOf(kScales, options.scale)},
            {QStringLiteral("sums"), options.sums}};
}

Figure headFigure(const ViewSnapshot& view, const QJsonObject& json)
{
    Figure figure = figureOf(view, headTitle(view.selection));
    const HeadOptions options = headOptions(json);
    const MapWithLegend shown =
        headMap(view, {view.shown, options.kind, options.scale, options.sums});
    if (shown.map.matrix.isEmpty())
        return figure;
    figure.caption = captionOf(shown, view);
    figure.size = [map = shown.map](const Theme& theme) { return wantedSize(map, theme); };
    figure.paint = [shown](QPainter& painter, const QRectF& area, const Theme& theme,
                           const FigureTarget& target) {
        paintHead(painter, area, shown, theme, target);
    };
    figure.numbers.push_back(numbersOf(options.kind == MapKind::Weights ? QStringLiteral("pattern")
                                                                        : toJson(options.kind),
                                       shown.map));
    return figure;
}

} // namespace headscope::ui
