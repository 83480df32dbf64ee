#include "ui/pages/shared/figures/overview_figure.h"

#include "core/analysis/heads/sink_weights.h"
#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/tr.h"
#include "ui/workers/forward/thumbnails.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 16.0;
constexpr double kNarrowest = 540.0;

int keyValueHeads(const ViewSnapshot& view)
{
    if (const LoadedModel& model = view.model(); model.model)
        return static_cast<int>(model.model->config().keyHeadCount());
    const TracePtr& trace = view.trace();
    const AttentionKind part = view.selection.part;
    const Site site = part == AttentionKind::Cross ? Site::CrossKey : Site::Key;
    // Keys [n, h_kv, d_k].
    const auto keys = trace ? trace->shapeOf({site, 0, stackOf(part)}) : std::nullopt;
    return keys && keys->rank() == 3 ? static_cast<int>((*keys)[1]) : 0;
}

/// Layers and heads of the trace, or of a model that has none yet.
std::pair<int, int> layersAndHeads(const ViewSnapshot& view)
{
    const AttentionKind part = view.selection.part;
    if (const TracePtr& trace = view.trace())
        return {trace->layerCount(part), trace->headCount(part)};
    if (!view.modelA.model)
        return {0, 0};
    const ModelConfig& config = view.modelA.model->config();
    const bool decoder = part == AttentionKind::DecoderSelf || part == AttentionKind::Cross;
    return {static_cast<int>(decoder ? config.decoderLayerCount() : config.layers),
            static_cast<int>(config.heads)};
}

PartThumbnails thumbnailsFor(const ViewSnapshot& view)
{
    const PartThumbnails& made = view.thumbnails();
    if (!made.empty() || !view.trace())
        return made;
    return view.shown == Variant::Difference && view.isComparable()
               ? differenceThumbnails(*view.a, *view.b)
               : thumbnailsOf(*view.trace());
}

void paintGrid(QPainter& painter, const QRectF& area, const HeadGridContent& content,
               const ColourBarContent& legend, const Theme& theme, const FigureTarget& target)
{
    const double below = kLegend * theme.scale();
    const HeadGridLayout layout(area.adjusted(0, 0, 0, -below - kGap), content, theme,
                                target.pixelRatio);
    const ColourLookup lookup(legend.scale, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : content.thumbnails) {
        const int pixels = static_cast<int>(std::lround(layout.side() * target.pixelRatio));
        const int wanted = target.vectors && thumbnail ? 4 * std::max(thumbnail->rows, 1) : pixels;
        images.push_back(thumbnail ? thumbnailImage(*thumbnail, lookup, wanted) : QImage());
    }
    paintHeadGrid(painter, layout, images, content, theme);
    const double left = 28.0 * theme.scale();
    paintColourBar(
        painter, QRectF(area.x() + left, layout.size().height() + kGap, area.width() - left, below),
        legend, theme);
}

QSizeF wantedSize(const HeadGridContent& content, const Theme& theme)
{
    const QSizeF grid = headGridSize(content, theme, 32.0 * theme.scale());
    return {std::max(grid.width(), kNarrowest * theme.scale()),
            grid.height() + kLegend * theme.scale() + kGap};
}

double meanEntropyBits(const HeatmapMatrix& pattern)
{
    double bits = 0.0;
    for (int cell = 0; cell < pattern.rows * pattern.columns; ++cell) {
        const double weight = pattern.values.get()[cell];
        bits -= weight > 0.0 ? weight * std::log2(weight) : 0.0;
    }
    return bits / std::max(pattern.rows, 1);
}

NumberTable entropyTable(const ViewSnapshot& view, const HeadGridContent& grid)
{
    NumberRows rows;
    QStringList columns;
    for (int layer = 0; layer < grid.layers; ++layer) {
        std::vector<double> values;
        for (int head = 0; head < grid.heads; ++head)
            values.push_back(
                meanEntropyBits(patternOf(*view.trace(), {view.selection.part, layer, head})));
        rows.add(QStringLiteral("L%1").arg(layer), values);
    }
    for (int head = 0; head < grid.heads; ++head)
        columns << QStringLiteral("H%1").arg(head);
    return rows.table(QStringLiteral("entropy in bits"), columns);
}

} // namespace

std::vector<int> orderInLayers(const HeadScoreTable& table, HeadScore score)
{
    std::vector<std::vector<int>> byLayer(static_cast<std::size_t>(table.layers));
    for (const HeadId head : table.ranked(score))
        byLayer[static_cast<std::size_t>(head.layer)].push_back(head.head);
    std::vector<int> order;
    for (const std::vector<int>& layer : byLayer)
        order.insert(order.end(), layer.begin(), layer.end());
    return order;
}

HeadGridContent gridContent(const ViewSnapshot& view, const HeadScoreTable* table, HeadScore score,
                            const std::vector<ThumbnailPtr>* hidden)
{
    HeadGridContent content;
    std::tie(content.layers, content.heads) = layersAndHeads(view);
    content.keyValueHeads = keyValueHeads(view);
    const PartThumbnails all = hidden ? PartThumbnails() : thumbnailsFor(view);
    if (const auto found = all.find(view.selection.part); found != all.end())
        content.thumbnails = found->second;
    if (hidden)
        content.thumbnails = *hidden;
    content.thumbnails.resize(static_cast<std::size_t>(content.layers) *
                              static_cast<std::size_t>(content.heads));
    content.map = view.shown == Variant::Difference ? MapName::Balance : view.colourMap;
    content.selected = GridCell{view.selection.layer, view.selection.head};
    for (const HeadOff& off : view.changes.headsOff) {
        if (off.head.attention == view.selection.part)
            content.switchedOff.insert({off.head.layer, off.head.head});
    }
    if (table && table->layers == content.layers && table->heads == content.heads)
        content.order = orderInLayers(*table, score);
    return content;
}

QString gridText(const HeadGridContent& content, std::optional<HeadScore> sortedBy)
{
    if (sortedBy && !content.order.empty())
        return tr("Each layer sorted: highest %1 on the left").arg(scoreInSentence(*sortedBy));
    return tr("%1 layers \u2193   %2 heads \u2192").arg(content.layers).arg(content.heads);
}

QString gridMark(const ViewSnapshot& view, const std::vector<ThumbnailPtr>* hidden)
{
    const QString words = hiddenTokenText(view);
    if (words.isEmpty())
        return view.trace() && SinkWeights(*view.trace()).hasSinks(view.selection.part)
                   ? tr("with the attention sink as a column on the right")
                   : QString();
    return hidden ? tr("without %1, %2").arg(words, hiddenRowsText(view))
                  : tr("all tokens; the text is too long to hide some here");
}

ColourBarContent gridLegend(const ViewSnapshot& view)
{
    ColourBarContent legend;
    const bool difference = view.shown == Variant::Difference;
    legend.scale =
        difference ? ColourScale::difference() : ColourScale{view.colourMap, 0.0F, 1.0F, 1.0};
    if (view.trace())
        legend.swatch = hiddenBy(maskOf(*view.trace(), view.selection.part));
    legend.title = scaleTitle(difference ? tr("B\u2212A: difference") : tr("Attention weight"),
                              legend.scale, false);
    return legend;
}

NumberTable scoresTable(const HeadScoreTable& table)
{
    NumberRows rows;
    QStringList columns;
    const std::span<const HeadScoreInfo> scores = headScoreInfos();
    for (const HeadScoreInfo& info : scores)
        columns << scoreKey(info.score);
    for (int layer = 0; layer < table.layers; ++layer) {
        for (int head = 0; head < table.heads; ++head) {
            std::vector<double> values;
            for (const HeadScoreInfo& info : scores)
                values.push_back(table.at(layer, head, info.score));
            rows.add(QStringLiteral("%1.%2").arg(layer).arg(head), values);
        }
    }
    return rows.table(QStringLiteral("scores"), columns);
}

Figure gridFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    const auto sort = scoreNamed(options.value(QLatin1String("sort")).toString());
    const HeadScoreTables tables = view.trace() ? scoreTrace(*view.trace()) : HeadScoreTables();
    const auto found = tables.find(view.selection.part);
    return gridFigure(view, sort, found != tables.end() ? &found->second : nullptr);
}

Figure gridFigure(const ViewSnapshot& view, std::optional<HeadScore> sort,
                  const HeadScoreTable* table)
{
    Figure figure = figureOf(view, tr("All heads"));
    HiddenThumbnails made;
    const std::vector<ThumbnailPtr>* hidden = made.of(view);
    const HeadGridContent content = gridContent(view, sort ? table : nullptr,
                                                sort.value_or(HeadScore::InductionOnText), hidden);
    if (!view.trace() || content.layers == 0 || content.heads == 0)
        return figure;
    const ColourBarContent legend = gridLegend(view);
    figure.caption = tr("%1. Query rows down, key columns across in every map. %2.")
                         .arg(gridText(content, sort), legend.title);
    if (const QString mark = gridMark(view, hidden); !mark.isEmpty())
        figure.caption += tr(" Maps: %1.").arg(mark);
    figure.size = [content](const Theme& theme) { return wantedSize(content, theme); };
    figure.paint = [content, legend](QPainter& painter, const QRectF& area, const Theme& theme,
                                     const FigureTarget& target) {
        paintGrid(painter, area, content, legend, theme, target);
    };
    figure.numbers.push_back(entropyTable(view, content));
    if (table)
        figure.numbers.push_back(scoresTable(*table));
    for (NumberTable& numbers : headFigure(view, {}).numbers) // The selected one.
        figure.numbers.push_back(std::move(numbers));
    return figure;
}

} // namespace headscope::ui
