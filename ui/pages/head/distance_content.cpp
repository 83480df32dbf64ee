#include "ui/pages/head/distance_content.h"

#include "core/analysis/heads/sink_weights.h"
#include "core/analysis/scores/distance_profile.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/maps/shown_patterns.h"
#include "ui/pages/shared/maps/sink_mass.h"
#include "ui/widgets/charts/distance/distance_plot.h"
#include "ui/widgets/charts/scene/chart_scene.h"
#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/tr.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kHues = 8;
constexpr int kManyTokens = 64;

TensorView viewOf(const HeatmapMatrix& matrix)
{
    return {matrix.values.get(), {matrix.rows, matrix.columns}};
}

DistanceProfile profileOf(const ViewSnapshot& view, Variant variant, int head)
{
    const ShownPattern shown = shownPattern(view, variant, {view.selection.layer, head});
    return shown.matrix.isEmpty() ? DistanceProfile()
                                  : DistanceProfile(viewOf(shown.matrix), shown.faintRows);
}

/// Later keys are drawn only where a shown variant may attend to them.
bool seesAhead(const ViewSnapshot& view)
{
    const auto hidesAhead = [&view](Variant variant) {
        const TracePtr& trace = view.trace(variant);
        if (!trace)
            return true;
        const HeatmapMask mask = maskOf(*trace, view.selection.part);
        if (mask.kind == HeatmapMask::Kind::Causal || mask.kind == HeatmapMask::Kind::Window)
            return true;
        const auto tokens = static_cast<int>(trace->queryTokens(view.selection.part).size());
        HeatmapMatrix size;
        size.rows = size.columns = tokens;
        for (int query = 0; query < tokens; ++query)
            for (int key = query + 1; key < tokens; ++key)
                if (!mask.hides({query, key}, size))
                    return false;
        return true;
    };
    if (view.shown == Variant::Difference)
        return !hidesAhead(Variant::A) || !hidesAhead(Variant::B);
    return !hidesAhead(view.shown);
}

std::vector<DistanceRange> rangesOf(DistanceRange all, DistanceOptions::Axis axis)
{
    const bool many = all.end > kManyTokens;
    const bool doubling =
        axis == DistanceOptions::Axis::Doubling || (axis == DistanceOptions::Axis::Auto && many);
    return doubling ? logDistances(all) : allDistances(all);
}

bool isWords(const TokenDisplay& display)
{
    return display.grouping != TokenDisplay::Grouping::Pieces;
}

/// One head's values in each range, or B's less A's.
std::vector<double> valuesOf(const ViewSnapshot& view, int head,
                             const std::vector<DistanceRange>& ranges)
{
    const bool difference = view.shown == Variant::Difference;
    const DistanceProfile shown = profileOf(view, difference ? Variant::B : view.shown, head);
    const DistanceProfile before =
        difference ? profileOf(view, Variant::A, head) : DistanceProfile();
    std::vector<double> values;
    for (const DistanceRange& range : ranges)
        values.push_back(shown.over(range) - (difference ? before.over(range) : 0.0));
    return values;
}

std::optional<double> sinkMassOf(const ViewSnapshot& view, const std::vector<int>& shown)
{
    if (!SinkWeights(*view.trace()).hasSinks(view.selection.part))
        return std::nullopt;
    std::vector<GridCell> heads;
    for (const int head : shown)
        heads.push_back({view.selection.layer, head});
    std::vector<std::optional<double>> masses;
    for (const ShownPattern& pattern : shownPatterns(view, view.shown, heads))
        masses.push_back(meanSink(pattern.sink));
    return meanOf(masses);
}

NumberTable curveTable(const DistanceContent& content)
{
    NumberRows rows;
    QStringList columns;
    for (const DistanceCurve& curve : content.curves)
        rows.add(tr("head %1").arg(curve.head), curve.values);
    for (int bin = 0; bin < static_cast<int>(content.bins.size()); ++bin)
        columns << distanceText(content, bin);
    return rows.table("distance", columns);
}

NumberTable meanTable(const MeanDistances& distances)
{
    NumberRows rows;
    QStringList columns;
    for (int layer = 0; layer < distances.layers(); ++layer) {
        std::vector<double> values;
        for (int head = 0; head < distances.heads(); ++head)
            values.push_back(distances.at({layer, head}));
        rows.add(tr("layer %1").arg(layer), values);
    }
    for (int head = 0; head < distances.heads(); ++head)
        columns << tr("head %1").arg(head);
    return rows.table("mean_distance", columns);
}

void paintMap(QPainter& painter, QRectF area, const DistanceMap& map, const Theme& theme,
              double pixelRatio)
{
    const double legend = 56.0 * theme.scale();
    const HeadGridLayout layout(area.adjusted(0, 0, 0, -legend), map.grid, theme, pixelRatio);
    ColourScale scale = map.legend.scale;
    const ColourLookup lookup(scale, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : map.grid.thumbnails)
        images.push_back(thumbnail ? thumbnailImage(*thumbnail, lookup,
                                                    static_cast<int>(std::ceil(layout.side())))
                                   : QImage());
    paintHeadGrid(painter, layout, images, map.grid, theme);
    const double below = area.y() + layout.size().height() + 12.0;
    paintColourBar(painter, QRectF(area.x(), below, area.width(), legend), map.legend, theme);
}

} // namespace

DistanceOptions DistanceOptions::fromJson(const QJsonObject& json)
{
    DistanceOptions options;
    const QString axis = json.value("axis").toString();
    options.axis = axis == "every" ? Axis::Every : axis == "doubling" ? Axis::Doubling : Axis::Auto;
    for (const QJsonValue& head : json.value("heads").toArray())
        options.headsBySlot.push_back(head.toInt(-1));
    if (json.contains("distance"))
        options.distance = json.value("distance").toInt();
    return options;
}

QJsonObject DistanceOptions::toJson() const
{
    QJsonObject json;
    if (axis != Axis::Auto)
        json.insert("axis", axis == Axis::Every ? "every" : "doubling");
    QJsonArray heads;
    for (const int head : headsBySlot)
        heads.append(head);
    if (!heads.isEmpty())
        json.insert("heads", heads);
    if (distance)
        json.insert("distance", *distance);
    return json;
}

HeadChoice distanceHeads(const ViewSnapshot& view, const DistanceOptions& options)
{
    const int heads = view.trace() ? view.trace()->headCount(view.selection.part) : 0;
    HeadChoice choice(heads);
    std::vector<int> first;
    for (int head = 0; head < std::min(heads, kHues); ++head)
        first.push_back(head);
    if (view.selection.head >= kHues && view.selection.head < heads)
        first.back() = view.selection.head;
    choice.restore(first);
    if (!options.headsBySlot.empty())
        choice.restore(options.headsBySlot);
    return choice;
}

DistanceContent distanceContent(const ViewSnapshot& view, const DistanceOptions& options,
                                const HeadChoice& choice)
{
    DistanceContent content;
    if (!haveDistances(view))
        return content;
    content.isDifference = view.shown == Variant::Difference;
    content.words = isWords(view.display);
    content.stale = view.stale;
    content.subject = view.selection.head;
    DistanceRange all = profileOf(view, view.shown, content.subject).range();
    if (!seesAhead(view))
        all.begin = 0;
    if (all.end <= 0)
        return content;
    const std::vector<DistanceRange> ranges = rangesOf(all, options.axis);
    for (const DistanceRange& range : ranges)
        content.bins.push_back({static_cast<int>(range.begin), static_cast<int>(range.end - 1)});
    for (const int head : choice.shown())
        content.curves.push_back({head, choice.slotOf(head), valuesOf(view, head, ranges)});
    content.sinkMass = sinkMassOf(view, choice.shown());
    for (std::size_t bin = 0; options.distance && bin < content.bins.size(); ++bin)
        if (content.bins[bin].first <= *options.distance &&
            *options.distance <= content.bins[bin].last)
            content.bin = static_cast<int>(bin);
    return content;
}

QString distanceProblem(const ViewSnapshot& view)
{
    if (view.selection.part == AttentionKind::Cross)
        return tr("Queries and keys are tokens of two texts here: they have no distance.");
    if (view.shown == Variant::Difference && !view.isComparable())
        return tr("A and B have different tokens, so they cannot be subtracted.");
    return haveDistances(view) ? QString() : tr("There is no head to look at.");
}

DistanceMap distanceMap(const ViewSnapshot& view, const MeanDistances& distances)
{
    DistanceMap map;
    const bool difference = view.shown == Variant::Difference;
    const auto high = static_cast<float>(std::max(distances.largest(), 1e-3));
    map.grid.layers = distances.layers();
    map.grid.heads = distances.heads();
    if (view.model().model && view.model().model->config().heads == distances.heads())
        map.grid.keyValueHeads = static_cast<int>(view.model().model->config().keyHeadCount());
    map.grid.map = difference ? MapName::Balance : view.colourMap;
    for (int layer = 0; layer < distances.layers(); ++layer)
        for (int head = 0; head < distances.heads(); ++head) {
            const double value = distances.at({layer, head});
            if (std::isnan(value)) {
                map.grid.thumbnails.push_back(nullptr);
                continue;
            }
            const double fraction = value / static_cast<double>(high);
            const double level = 254.0 * (difference ? (fraction + 1.0) / 2.0 : fraction);
            map.grid.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
                HeadThumbnail{1, 1, {static_cast<std::uint8_t>(std::lround(level))}}));
        }
    map.grid.selected = GridCell{view.selection.layer, view.selection.head};
    map.legend.scale =
        difference ? ColourScale::difference(high) : ColourScale{view.colourMap, 0.0F, high, 1.0};
    const QString unit = isWords(view.display) ? tr("Words") : tr("Tokens");
    if (distances.isDone() && distances.largest() == 0.0)
        map.legend.title = (difference ? tr("%1: no difference to show")
                                       : tr("%1: no head attends to another token"))
                               .arg(unit);
    else
        map.legend.title = (difference ? tr("%1, scaled to this text, \u00B1%2")
                                       : tr("%1, scaled to this text, 0 to %2"))
                               .arg(unit, number(static_cast<double>(high), 2));
    map.legend.warn = true;
    return map;
}

Figure distanceFigure(const ViewSnapshot& view, const QJsonObject& json)
{
    const DistanceOptions options = DistanceOptions::fromJson(json);
    const DistanceContent content = distanceContent(view, options, distanceHeads(view, options));
    Figure figure = figureOf(view, headTitle(view.selection));
    if (content.isEmpty())
        return figure;
    MeanDistances distances;
    distances.start(view);
    while (!distances.isDone())
        distances.step(view);
    const DistanceMap map = distanceMap(view, distances);
    figure.caption =
        (content.isDifference
             ? tr("Change of the mean attention weight by distance, B less A, for %1 heads of "
                  "layer %2; mean over the queries that have a key there. Right: change of the "
                  "mean distance of every head.")
             : tr("Mean attention weight by distance for %1 heads of layer %2; mean over the "
                  "queries that have a key there. Right: mean distance of every head."))
            .arg(content.curves.size())
            .arg(view.selection.layer);
    if (content.sinkMass)
        figure.caption +=
            QLatin1Char(' ') +
            tr("Not in the curves: %1.").arg(sinkNote(content.sinkMass, content.isDifference));
    const ShownPattern subject = shownPattern(view, {view.selection.layer, view.selection.head});
    if (subject.hidesTokens)
        figure.caption += QLatin1Char(' ') + tr("Of head %1: ").arg(view.selection.head) +
                          renormalisedText(view, subject.hiddenMass, subject.faintRows.size());
    figure.size = [](const Theme& theme) { return QSizeF(960, 440) * theme.scale(); };
    figure.paint = [content, map](QPainter& painter, const QRectF& area, const Theme& theme,
                                  const FigureTarget& target) {
        const double side = 300.0 * theme.scale();
        const QRectF chart = area.adjusted(0, 0, -side - 24.0, 0);
        paintChart(painter, chart, DistancePlot(content, chart.size(), theme).plot());
        paintMap(painter, QRectF(area.right() - side, area.y(), side, area.height()), map, theme,
                 target.pixelRatio);
    };
    figure.numbers = {curveTable(content), meanTable(distances)};
    return figure;
}

} // namespace headscope::ui
