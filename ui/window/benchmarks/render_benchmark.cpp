#include "ui/window/benchmarks/render_benchmark.h"

#include "core/base/stopwatch.h"
#include "ui/pages/positions/positions_paint.h"
#include "ui/widgets/arcs/arcs_benchmark.h"
#include "ui/widgets/charts/scene/chart_benchmark.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QPainter>

#include <algorithm>
#include <functional>
#include <random>

namespace headscope::ui {

namespace {

constexpr int kNaiveRounds = 3; // few rounds, as each is slow

HeatmapMatrix randomMatrix(int tokens, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> weight(0.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(tokens) * static_cast<std::size_t>(tokens));
    for (float& value : values)
        value = weight(random);
    return HeatmapMatrix::copyOf(std::move(values), tokens, tokens);
}

void fillCells(QPainter& painter, const QRectF& area, const HeatmapMatrix& matrix,
               const ColourLookup& lookup)
{
    const double width = area.width() / matrix.columns;
    const double height = area.height() / matrix.rows;
    for (int row = 0; row < matrix.rows; ++row)
        for (int column = 0; column < matrix.columns; ++column)
            painter.fillRect(
                QRectF(area.x() + column * width, area.y() + row * height, width, height),
                QColor::fromRgb(lookup.colour(matrix.at({row, column}))));
}

// ------------------------------------------------------------------------------------- head grids

constexpr int kThumbnailTokens = 64;
/// Number of alternating data sets, so that no result can be reused from a cache.
constexpr int kVariants = 2;

std::vector<ThumbnailPtr> thumbnails(int count, int variant)
{
    const auto one = std::make_shared<const HeadThumbnail>(
        makeThumbnail(randomMatrix(kThumbnailTokens, static_cast<unsigned>(variant)), {}));
    std::vector<ThumbnailPtr> all;
    for (int index = 0; index < count; ++index)
        all.push_back(std::make_shared<const HeadThumbnail>(*one));
    return all;
}

RenderTiming headGrid(int layers, int heads, double bar, int rounds)
{
    const QSize size(1200, 900);
    HeadGridContent contents[kVariants];
    for (int variant = 0; variant < kVariants; ++variant) {
        contents[variant].layers = layers;
        contents[variant].heads = heads;
        contents[variant].thumbnails = thumbnails(layers * heads, variant);
    }
    HeadGridWidget grid;
    grid.resize(size);
    QImage page(size, QImage::Format_RGB32);
    RenderTiming timing;
    timing.name = "heads " + std::to_string(layers) + "x" + std::to_string(heads);
    timing.image = "64-token patterns in 1200x900";
    timing.naive = "fillRect per cell";
    timing.barMs = bar;
    timing.medianMs = medianMilliseconds(rounds, [&](int round) {
        grid.setContent(contents[round % kVariants]);
        grid.render(&page);
    });
    const HeatmapMatrix matrix = randomMatrix(kThumbnailTokens, 1);
    const ColourLookup lookup(ColourScale::weights(), Theme::light());
    const HeadGridLayout layout = grid.layoutNow();
    timing.naiveMs = medianMilliseconds(std::min(rounds, kNaiveRounds), [&](int) {
        QPainter painter(&page);
        for (int layer = 0; layer < layers; ++layer)
            for (int head = 0; head < heads; ++head)
                fillCells(painter, layout.headRect({layer, head}), matrix, lookup);
    });
    return timing;
}

// -------------------------------------------------------------------------------------- one large
// map

RenderTiming largeMap(int rounds)
{
    constexpr int kTokens = 1024;
    constexpr int kSide = 768;
    HeatmapContent contents[kVariants];
    for (int variant = 0; variant < kVariants; ++variant) {
        contents[variant].matrix = randomMatrix(kTokens, static_cast<unsigned>(variant));
        contents[variant].scale = ColourScale::weights();
    }
    const Theme theme = Theme::named(false, bodyFont());
    HeatmapOptions options;
    options.rowLabels = options.columnLabels = options.corner = false;
    QImage page(kSide, kSide, QImage::Format_RGB32);
    const QRectF area(0, 0, kSide, kSide);
    RenderTiming timing{"map 1024x1024", "768x768 pixels", "fillRect per cell", 0.0, 0.0, 4.0};
    timing.medianMs = medianMilliseconds(rounds, [&](int round) {
        const HeatmapContent& content = contents[round % kVariants];
        QPainter painter(&page);
        const HeatmapLayout layout(area, content, options, theme);
        paintHeatmap(painter, layout, heatmapImage(content, theme, layout.imageSize()), content,
                     options, theme);
    });
    const ColourLookup lookup(ColourScale::weights(), theme);
    timing.naiveMs = medianMilliseconds(std::min(rounds, kNaiveRounds), [&](int round) {
        QPainter painter(&page);
        fillCells(painter, area, contents[round % kVariants].matrix, lookup);
    });
    return timing;
}

// ----------------------------------------------------------------------------------------- curves

std::vector<RenderTiming> arcs(int rounds)
{
    constexpr int kTokens = 64;
    constexpr int kHeads = 12;
    const ArcsTimes times = measureArcs(kTokens, kHeads, rounds, true);
    const std::string image = std::to_string(times.links) + " links in 900x1000";
    const std::string naive = "one antialiased path per link";
    const std::string name = "arcs " + std::to_string(kTokens) + "x" + std::to_string(kHeads);
    return {{name, image, naive, times.rest, times.naive, 16.0},
            {name + " hover", image, naive, times.hover, times.naive, 5.0}};
}

PositionsContent manyWaves()
{
    constexpr int kPositions = 512;
    constexpr int kDimensions = 64;
    PositionsContent content;
    content.table = sinusoidalTable(kPositions, kDimensions, content.base);
    return content;
}

void paintPolylines(QPainter& painter, const PositionsContent& content, QRectF area)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const PositionTable& table = content.table;
    for (int dimension = 0; dimension < table.dimensions; ++dimension) {
        QPolygonF line;
        for (int position = 0; position < table.positions; ++position)
            line << QPointF(area.x() + area.width() * position / table.positions,
                            area.center().y() -
                                0.5 * area.height() * double{table.at(position, dimension)});
        painter.setPen(QPen(Qt::darkBlue, 2.0));
        painter.drawPolyline(line);
    }
}

RenderTiming waves(int rounds)
{
    PositionsContent content = manyWaves();
    const QRectF area(0, 0, 1000, 600);
    const Theme theme = Theme::named(false, bodyFont());
    QImage page(area.size().toSize(), QImage::Format_RGB32);
    RenderTiming timing{"positions 64x512",
                        "waves and matrices in 1000x600",
                        "64 antialiased polylines of 2 px",
                        0.0,
                        0.0,
                        16.0};
    timing.medianMs = medianMilliseconds(rounds, [&](int round) {
        content.position = round % content.table.positions;
        page.fill(theme.surface);
        QPainter painter(&page);
        paintPositions(painter, PositionsLayout(area, content, theme), content, theme);
    });
    timing.naiveMs = medianMilliseconds(std::min(rounds, kNaiveRounds), [&](int) {
        page.fill(theme.surface);
        QPainter painter(&page);
        paintPolylines(painter, content, area);
    });
    return timing;
}

// -------------------------------------------------------------------------------------- loss chart

RenderTiming lossChart(int rounds)
{
    constexpr int kPoints = 10'000;
    const ChartTimes times = measureLossChart(kPoints, rounds, std::min(rounds, kNaiveRounds));
    return {"loss chart " + std::to_string(kPoints),
            "800x400 pixels",
            "every point, 2 px pen",
            times.ours,
            times.naive,
            6.0};
}

} // namespace

std::vector<RenderTiming> benchmarkRendering(int rounds)
{
    std::vector<RenderTiming> all{headGrid(12, 12, 12.0, rounds), headGrid(30, 32, 12.0, rounds),
                                  largeMap(rounds)};
    for (RenderTiming& timing : arcs(rounds))
        all.push_back(std::move(timing));
    all.push_back(waves(rounds));
    all.push_back(lossChart(rounds));
    return all;
}

} // namespace headscope::ui
