#include "ui/views/pattern_figures.h"

#include "core/analysis/head_scores.h"
#include "ui/views/shown_pattern.h"
#include "ui/widgets/colour_bar.h"
#include "ui/widgets/head_grid.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 16.0;
constexpr double kLargestSide = 1200.0; ///< of a map's cells, logical pixels
constexpr double kThumbnail = 32.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("PatternFigures", text);
}

QString hiddenWords(const HeatmapMask& mask)
{
    switch (mask.kind) {
    case HeatmapMask::Kind::Causal:
        return tr("hidden by the causal mask");
    case HeatmapMask::Kind::Window:
        return tr("outside the window of %1 tokens").arg(mask.window);
    case HeatmapMask::Kind::Cells:
        return tr("hidden by the mask");
    case HeatmapMask::Kind::None:
        break;
    }
    return {};
}

ColourScale scaleOf(const Looking& looking)
{
    return looking.shown == Run::Difference ? ColourScale::difference()
                                            : ColourScale{looking.colourMap, 0.0F, 1.0F, 1.0};
}

ColourBarContent legendOf(const Looking& looking, const HeatmapMask& mask)
{
    const ColourScale scale = scaleOf(looking);
    const bool isSigned = looking.shown == Run::Difference;
    ColourBarContent legend;
    legend.scale = scale;
    legend.title =
        scaleTitle(isSigned ? tr("B\u2212A: difference") : tr("Attention weight"), scale, false);
    legend.swatch = hiddenWords(mask);
    return legend;
}

struct Map
{
    HeatmapContent content;
    ColourBarContent legend;
};

void mark(HeatmapContent& map, const ShownPattern& shown, TokenPair pair)
{
    const int row = pair.query < 0 ? -1 : shown.rowOf(pair.query);
    const int column = pair.key < 0 ? -1 : shown.columnOf(pair.key);
    if (row >= 0)
        map.queryRow = row;
    if (row >= 0 && column >= 0)
        map.current = HeatmapCell{row, column};
}

Map mapOf(const Looking& looking, const ShownPattern& shown)
{
    Map map;
    map.content.matrix = shown.matrix;
    map.content.mask = shown.mask;
    map.content.scale = scaleOf(looking);
    map.content.rowLabels = shown.rowLabels;
    map.content.columnLabels = shown.columnLabels;
    if (shown.isSigned)
        map.content.valueName = tr("difference");
    mark(map.content, shown, pairOf(looking));
    map.legend = legendOf(looking, shown.mask);
    return map;
}

QSizeF sizeOf(const Map& map, const Theme& theme)
{
    const HeatmapOptions options;
    const HeatmapMatrix& matrix = map.content.matrix;
    const double cell = std::clamp(std::floor(kLargestSide / std::max(matrix.rows, matrix.columns)),
                                   1.0, options.largestCell * theme.scale());
    const QMarginsF margins = heatmapMargins(map.content, options, theme);
    const auto side = [cell](int count) { return std::min(cell * count, kLargestSide); };
    return {
        std::max(side(matrix.columns) + margins.left() + margins.right(), 520.0 * theme.scale()),
        side(matrix.rows) + margins.top() + margins.bottom() + kGap + kLegend * theme.scale()};
}

void paintMap(QPainter& painter, QRectF area, const Map& map, const Theme& theme,
              const FigureTarget& target)
{
    HeatmapOptions options;
    options.cellsAsShapes = target.vectors;
    const double legend = kLegend * theme.scale();
    const HeatmapLayout layout(area.adjusted(0, 0, 0, -legend - kGap), map.content, options, theme,
                               target.pixelRatio);
    const QImage image = heatmapImage(map.content, theme, layout.imageSize());
    paintHeatmap(painter, layout, crispImage(image, target), map.content, options, theme);
    const QRectF below(layout.cells().x(),
                       std::min(layout.cells().bottom() + kGap, area.bottom() - legend),
                       area.right() - layout.cells().x(), legend);
    paintColourBar(painter, below, map.legend, theme);
}

/// What the display leaves out is said where the picture cannot show it.
QString captionOf(const Looking& looking, const ShownPattern& shown, const ColourBarContent& legend)
{
    QString caption = tr("%1. Rows are queries, columns are keys. %2.")
                          .arg(headTitle(looking.selection), legend.title);
    if (shown.hiddenMass > 0.0)
        caption += tr(" Special tokens are left out with %1 of the attention; the rows are divided "
                      "by what is left.")
                       .arg(QString::number(shown.hiddenMass, 'f', 3));
    return caption;
}

// ---------------------------------------------------------------------------------- all the heads

HeadGridContent gridOf(const Looking& looking)
{
    HeadGridContent grid;
    const Trace& trace = *looking.trace();
    const AttentionPart part = looking.selection.part;
    grid.layers = layerCount(trace, part);
    grid.heads = headCount(trace, part);
    const auto found = looking.thumbnails().find(part);
    if (found != looking.thumbnails().end())
        grid.thumbnails = found->second;
    const Site keys = part == AttentionPart::Cross ? Site::CrossKey : Site::Key;
    if (const auto key = trace.find({keys, 0, stackOf(part)}); key && key->shape().rank() == 3)
        grid.keyValueHeads = static_cast<int>(key->shape()[1]);
    grid.map = scaleOf(looking).map;
    grid.selected = HeadIndex{looking.selection.layer, looking.selection.head};
    for (const HeadOff& off : looking.changes.headsOff)
        if (looking.shown != Run::A && stackOf(part) == off.head.stack &&
            off.head.cross == (part == AttentionPart::Cross))
            grid.switchedOff.insert({off.head.layer, off.head.head});
    return grid;
}

NumberTable entropyTable(const Looking& looking, const HeadGridContent& grid)
{
    NumberTable table;
    table.name = QStringLiteral("entropy in bits");
    std::vector<float> values;
    const Run run = looking.shown == Run::A ? Run::A : Run::B;
    for (int layer = 0; layer < grid.layers; ++layer) {
        table.rows << QStringLiteral("L%1").arg(layer);
        const auto pattern = looking.trace(run)->find(patternKey(looking.selection.part, layer));
        for (int head = 0; head < grid.heads; ++head) {
            const std::vector<double> rows = entropyRows(pattern->view()[head]);
            const double sum = std::accumulate(rows.begin(), rows.end(), 0.0);
            values.push_back(
                static_cast<float>(sum / std::max(static_cast<double>(rows.size()), 1.0)));
        }
    }
    for (int head = 0; head < grid.heads; ++head)
        table.columns << QStringLiteral("H%1").arg(head);
    table.values = HeatmapMatrix::copyOf(std::move(values), grid.layers, grid.heads);
    return table;
}

void paintGrid(QPainter& painter, QRectF area, const HeadGridContent& grid,
               const ColourBarContent& legend, const Theme& theme, const FigureTarget& target)
{
    const double below = kLegend * theme.scale();
    const HeadGridLayout layout(area.adjusted(0, 0, 0, -below - kGap), grid, theme,
                                target.pixelRatio);
    const ColourLookup lookup(legend.scale, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : grid.thumbnails) {
        const int pixels = target.vectors
                               ? 4 * std::max({thumbnail ? thumbnail->rows : 1, 1})
                               : static_cast<int>(std::lround(layout.side() * target.pixelRatio));
        images.push_back(thumbnail ? thumbnailImage(*thumbnail, lookup, pixels) : QImage());
    }
    paintHeadGrid(painter, layout, images, grid, theme);
    const double indent = 28.0 * theme.scale();
    paintColourBar(painter,
                   QRectF(area.x() + indent, area.y() + layout.size().height() + kGap,
                          area.width() - indent, below),
                   legend, theme);
}

} // namespace

Figure headFigure(const Looking& looking, const QJsonObject&)
{
    Figure figure = figureOf(looking, headTitle(looking.selection));
    const HeadIndex head{looking.selection.layer, looking.selection.head};
    const ShownPattern shown = looking.trace() ? shownPattern(looking, head) : ShownPattern{};
    if (shown.matrix.isEmpty())
        return figure;
    const Map map = mapOf(looking, shown);
    figure.caption = captionOf(looking, shown, map.legend);
    figure.size = [map](const Theme& theme) { return sizeOf(map, theme); };
    figure.paint = [map](QPainter& painter, const QRectF& area, const Theme& theme,
                         const FigureTarget& target) {
        paintMap(painter, area, map, theme, target);
    };
    figure.numbers.push_back(
        {QStringLiteral("pattern"), shown.rowLabels, shown.columnLabels, shown.matrix});
    return figure;
}

Figure gridFigure(const Looking& looking, const QJsonObject&)
{
    Figure figure = figureOf(looking, tr("All heads"));
    if (!looking.trace())
        return figure;
    const HeadGridContent grid = gridOf(looking);
    if (grid.layers == 0 || grid.heads == 0 || grid.thumbnails.empty())
        return figure;
    const ColourBarContent legend =
        legendOf(looking, maskOf(*looking.trace(), looking.selection.part));
    figure.caption = tr("%1 layers (down) of %2 heads (across). %3.")
                         .arg(grid.layers)
                         .arg(grid.heads)
                         .arg(legend.title);
    figure.size = [grid](const Theme& theme) {
        const QSizeF size = headGridSize(grid, theme, kThumbnail * theme.scale());
        return QSizeF(std::max(size.width(), 520.0 * theme.scale()),
                      size.height() + kGap + kLegend * theme.scale());
    };
    figure.paint = [grid, legend](QPainter& painter, const QRectF& area, const Theme& theme,
                                  const FigureTarget& target) {
        paintGrid(painter, area, grid, legend, theme, target);
    };
    figure.numbers.push_back(entropyTable(looking, grid));
    for (NumberTable& table : headFigure(looking, {}).numbers) // the one that is selected
        figure.numbers.push_back(std::move(table));
    return figure;
}

} // namespace headscope::ui
