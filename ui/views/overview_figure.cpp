#include "ui/views/overview_figure.h"

#include "ui/views/shown_pattern.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 16.0;
constexpr double kNarrowest = 540.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("Overview", text);
}

int keyValueHeads(const Looking& looking)
{
    if (const LoadedModel& model = looking.model(); model.model)
        return static_cast<int>(model.model->config().keyHeadCount());
    const TracePtr& trace = looking.trace();
    const AttentionPart part = looking.selection.part;
    const Site site = part == AttentionPart::Cross ? Site::CrossKey : Site::Key;
    const auto keys = trace ? trace->find({site, 0, stackOf(part)}) : nullptr; // [n, h_kv, d_k]
    return keys && keys->shape().rank() == 3 ? static_cast<int>(keys->shape()[1]) : 0;
}

/// Of the trace, or of a model that has none yet.
std::pair<int, int> layersAndHeads(const Looking& looking)
{
    const AttentionPart part = looking.selection.part;
    if (const TracePtr& trace = looking.trace())
        return {layerCount(*trace, part), headCount(*trace, part)};
    if (!looking.modelA.model)
        return {0, 0};
    const ModelConfig& config = looking.modelA.model->config();
    const bool decoder = part == AttentionPart::Decoder || part == AttentionPart::Cross;
    return {static_cast<int>(decoder ? config.decoderLayerCount() : config.layers),
            static_cast<int>(config.heads)};
}

PartThumbnails thumbnailsFor(const Looking& looking)
{
    const PartThumbnails& made = looking.thumbnails();
    if (!made.empty() || !looking.trace())
        return made;
    return looking.shown == Run::Difference && looking.isComparable()
               ? differenceThumbnails(*looking.a, *looking.b)
               : thumbnailsOf(*looking.trace());
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

} // namespace

QString scoreTitle(HeadScore score)
{
    switch (score) {
    case HeadScore::Induction:
        return tr("Induction");
    case HeadScore::Duplicate:
        return tr("Duplicate");
    case HeadScore::PreviousToken:
        return tr("Previous token");
    case HeadScore::FirstToken:
        return tr("First token");
    case HeadScore::Entropy:
        return tr("Entropy");
    case HeadScore::Distance:
        break;
    }
    return tr("Distance");
}

QString scoreKey(HeadScore score)
{
    static const QString kKeys[] = {QStringLiteral("induction"), QStringLiteral("duplicate"),
                                    QStringLiteral("previous"),  QStringLiteral("first"),
                                    QStringLiteral("entropy"),   QStringLiteral("distance")};
    return kKeys[static_cast<int>(score)];
}

std::optional<HeadScore> scoreNamed(const QString& key)
{
    for (int score = 0; score < kHeadScores; ++score) {
        if (scoreKey(static_cast<HeadScore>(score)) == key)
            return static_cast<HeadScore>(score);
    }
    return std::nullopt;
}

QString scoreMeaning(HeadScore score)
{
    switch (score) {
    case HeadScore::Induction:
        return tr("Weight on the token right after an earlier copy of the one that looks.");
    case HeadScore::Duplicate:
        return tr("Weight on earlier copies of the token that looks.");
    case HeadScore::PreviousToken:
        return tr("Weight on the token just before, mean over the text.");
    case HeadScore::FirstToken:
        return tr("Weight on the very first token, mean over the text.");
    case HeadScore::Entropy:
        return tr("How evenly it looks: 0 at one token, 1 at all alike.");
    case HeadScore::Distance:
        break;
    }
    return tr("How far away it looks on average, in tokens.");
}

QString scoreText(HeadScore score, double value)
{
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    return number(value, score == HeadScore::Distance ? 1 : 3);
}

HeadGridContent gridContent(const Looking& looking, const HeadScoreTable* table, HeadScore score)
{
    HeadGridContent content;
    std::tie(content.layers, content.heads) = layersAndHeads(looking);
    content.keyValueHeads = keyValueHeads(looking);
    const PartThumbnails all = thumbnailsFor(looking);
    if (const auto found = all.find(looking.selection.part); found != all.end())
        content.thumbnails = found->second;
    content.thumbnails.resize(static_cast<std::size_t>(content.layers) *
                              static_cast<std::size_t>(content.heads));
    content.map = looking.shown == Run::Difference ? MapName::Balance : looking.colourMap;
    content.selected = HeadIndex{looking.selection.layer, looking.selection.head};
    const bool cross = looking.selection.part == AttentionPart::Cross;
    for (const HeadOff& off : looking.changes.headsOff) {
        if (off.head.stack == stackOf(looking.selection.part) && off.head.cross == cross)
            content.switchedOff.insert({off.head.layer, off.head.head});
    }
    if (table && table->layers == content.layers && table->heads == content.heads)
        content.order = table->orderInLayers(score);
    return content;
}

QString gridWords(const HeadGridContent& content, std::optional<HeadScore> sortedBy)
{
    if (sortedBy && !content.order.empty())
        return tr("Each layer sorted: highest %1 on the left").arg(scoreTitle(*sortedBy).toLower());
    return tr("%1 layers \u2193   %2 heads \u2192").arg(content.layers).arg(content.heads);
}

ColourBarContent gridLegend(const Looking& looking)
{
    ColourBarContent legend;
    const bool difference = looking.shown == Run::Difference;
    legend.scale =
        difference ? ColourScale::difference() : ColourScale{looking.colourMap, 0.0F, 1.0F, 1.0};
    legend.title = scaleTitle(difference ? tr("B\u2212A: difference") : tr("Attention weight"),
                              legend.scale, false);
    return legend;
}

NumberTable scoresTable(const HeadScoreTable& table)
{
    NumberTable numbers{QStringLiteral("scores"), {}, {}, {}};
    std::vector<float> values;
    for (int score = 0; score < kHeadScores; ++score)
        numbers.columns << scoreKey(static_cast<HeadScore>(score));
    for (int layer = 0; layer < table.layers; ++layer) {
        for (int head = 0; head < table.heads; ++head) {
            numbers.rows << QStringLiteral("%1.%2").arg(layer).arg(head);
            for (int score = 0; score < kHeadScores; ++score)
                values.push_back(
                    static_cast<float>(table.at({layer, head}, static_cast<HeadScore>(score))));
        }
    }
    numbers.values =
        HeatmapMatrix::copyOf(std::move(values), table.layers * table.heads, kHeadScores);
    return numbers;
}

Figure gridFigure(const Looking& looking, const QJsonObject& options)
{
    const auto sort = scoreNamed(options.value(QLatin1String("sort")).toString());
    const HeadScoreTables tables =
        looking.trace() ? scoreText(*looking.trace()) : HeadScoreTables();
    const auto found = tables.find(looking.selection.part);
    return gridFigure(looking, sort, found != tables.end() ? &found->second : nullptr);
}

Figure gridFigure(const Looking& looking, std::optional<HeadScore> sort,
                  const HeadScoreTable* table)
{
    Figure figure = figureOf(looking, tr("All heads"));
    const HeadGridContent content =
        gridContent(looking, sort ? table : nullptr, sort.value_or(HeadScore::Induction));
    if (!looking.trace() || content.layers == 0 || content.heads == 0)
        return figure;
    const ColourBarContent legend = gridLegend(looking);
    figure.caption = tr("%1. Query rows down, key columns across in every map. %2.")
                         .arg(gridWords(content, sort), legend.title);
    figure.size = [content](const Theme& theme) { return wantedSize(content, theme); };
    figure.paint = [content, legend](QPainter& painter, const QRectF& area, const Theme& theme,
                                     const FigureTarget& target) {
        paintGrid(painter, area, content, legend, theme, target);
    };
    if (table)
        figure.numbers.push_back(scoresTable(*table));
    return figure;
}

} // namespace headscope::ui
