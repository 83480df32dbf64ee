#include "ui/views/heads_content.h"

#include <QCoreApplication>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 24.0;
constexpr double kBars = 360.0;
constexpr std::size_t kListed = 16; // heads named in a figure

QString tr(const char* text)
{
    return QCoreApplication::translate("Heads", text);
}

QString shortTitle(HeadScore score)
{
    if (score == HeadScore::PreviousToken)
        return tr("Previous");
    return score == HeadScore::FirstToken ? tr("First") : scoreTitle(score);
}

/// The value that has the strongest colour and the full bar.
double fullValue(const HeadScoreTable& table, HeadScore score)
{
    if (score != HeadScore::Distance)
        return 1.0;
    double largest = 0.0;
    for (int layer = 0; layer < table.layers; ++layer)
        for (int head = 0; head < table.heads; ++head)
            if (const double value = table.at({layer, head}, score); value > largest)
                largest = value;
    return largest > 0.0 ? largest : 1.0;
}

QString rangeText(int begin, int end)
{
    return end - begin == 1 ? QString::number(begin)
                            : QStringLiteral("%1\u2013%2").arg(begin).arg(end - 1);
}

struct HeadsPicture
{
    HeadGridContent grid;
    ColourBarContent legend;
    std::vector<Bar> bars;
    double full = 1.0;
};

std::vector<Bar> topBars(const HeadScoreTable& table, const HeadsChoice& choice)
{
    std::vector<Bar> bars;
    for (const HeadIndex index : table.ranked(choice.score, choice.rising)) {
        const double value = table.at(index, choice.score);
        if (bars.size() == kListed || std::isnan(value))
            break;
        Bar bar;
        bar.label = QStringLiteral("%1.%2").arg(index.layer).arg(index.head);
        bar.value = value;
        bars.push_back(bar);
    }
    return bars;
}

QSizeF wantedSize(const HeadsPicture& picture, const Theme& theme)
{
    const QSizeF grid = headGridSize(picture.grid, theme, 20.0 * theme.scale());
    const double height = std::max(grid.height(), barsHeight(picture.bars, theme));
    return {std::max(grid.width() + kGap + kBars * theme.scale(), 540.0 * theme.scale()),
            height + kGap + kLegend * theme.scale()};
}

void paintHeads(QPainter& painter, const QRectF& area, const HeadsPicture& picture,
                const Theme& theme, const FigureTarget& target)
{
    const double legend = kLegend * theme.scale();
    const double bars = kBars * theme.scale();
    const HeadGridLayout layout(area.adjusted(0, 0, -bars - kGap, -legend - kGap), picture.grid,
                                theme, target.pixelRatio);
    const ColourLookup lookup({picture.grid.map, 0.0F, 1.0F, 1.0}, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : picture.grid.thumbnails)
        images.push_back(thumbnailImage(*thumbnail, lookup,
                                        std::max(qRound(layout.side() * target.pixelRatio), 1)));
    paintHeadGrid(painter, layout, images, picture.grid, theme);
    BarsOptions options;
    options.largest = picture.full;
    paintBars(painter, QRectF(layout.size().width() + kGap, area.y(), bars, area.height()),
              picture.bars, options, theme);
    const double below =
        std::max(layout.size().height(), area.y() + barsHeight(picture.bars, theme)) + kGap;
    paintColourBar(painter, QRectF(area.x() + 28.0, below, area.width() - 28.0, legend),
                   picture.legend, theme);
}

} // namespace

HeadsChoice headsChoice(const QJsonObject& options)
{
    return {
        scoreNamed(options.value(QLatin1String("sort")).toString()).value_or(HeadScore::Induction),
        options.value(QLatin1String("rising")).toBool(),
        options.value(QLatin1String("measured")).toString() == QLatin1String("repeats")};
}

QJsonObject toJson(const HeadsChoice& choice)
{
    return {{QStringLiteral("sort"), scoreKey(choice.score)},
            {QStringLiteral("rising"), choice.rising},
            {QStringLiteral("measured"),
             choice.onProbe ? QStringLiteral("repeats") : QStringLiteral("text")}};
}

HeadGridContent scoreGrid(const Looking& looking, const HeadScoreTable& table, HeadScore score)
{
    HeadGridContent content = gridContent(looking);
    content.layers = table.layers;
    content.heads = table.heads;
    content.map = looking.colourMap;
    content.outlined = true;
    content.thumbnails.clear();
    const double full = fullValue(table, score);
    for (int layer = 0; layer < table.layers; ++layer) {
        for (int head = 0; head < table.heads; ++head) {
            const double value = table.at({layer, head}, score);
            const double share = std::isnan(value) ? 0.0 : std::clamp(value / full, 0.0, 1.0);
            const auto level = static_cast<std::uint8_t>(std::lround(share * 254.0));
            content.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
                HeadThumbnail{1, 1, {std::isnan(value) ? HeadThumbnail::kMasked : level}}));
        }
    }
    return content;
}

ColourBarContent scoreLegend(const Looking& looking, const HeadScoreTable& table, HeadScore score)
{
    ColourBarContent legend;
    legend.scale = {looking.colourMap, 0.0F, static_cast<float>(fullValue(table, score)), 1.0};
    legend.title = score == HeadScore::Distance
                       ? tr("Mean distance in tokens, up to the largest here")
                       : scaleTitle(scoreTitle(score), legend.scale, false);
    legend.warn = score == HeadScore::Distance;
    return legend;
}

std::vector<ScoreColumn> scoreColumns(const HeadScoreTable& table, HeadScore sortedBy)
{
    std::vector<ScoreColumn> columns;
    for (int index = 0; index < kHeadScores; ++index) {
        const auto score = static_cast<HeadScore>(index);
        columns.push_back({shortTitle(score), scoreMeaning(score),
                           score == HeadScore::Distance ? 1 : 3,
                           score == sortedBy ? fullValue(table, score) : 0.0});
    }
    return columns;
}

std::vector<ScoreRow> scoreRows(const HeadScoreTable& table, const std::vector<HeadIndex>& order,
                                int keyValueHeads)
{
    std::vector<ScoreRow> rows;
    const bool grouped = keyValueHeads > 0 && keyValueHeads < table.heads;
    for (const HeadIndex index : order) {
        ScoreRow row;
        row.name = QStringLiteral("%1.%2").arg(index.layer).arg(index.head);
        if (grouped)
            row.note = tr("KV %1").arg(index.head * keyValueHeads / table.heads);
        for (int score = 0; score < kHeadScores; ++score)
            row.values.push_back(table.at(index, static_cast<HeadScore>(score)));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Bar> distanceBars(const HeatmapMatrix& pattern)
{
    std::vector<Bar> bars;
    if (pattern.isEmpty())
        return bars;
    double ahead = 0.0;
    std::vector<double> back(static_cast<std::size_t>(pattern.rows), 0.0);
    for (int query = 0; query < pattern.rows; ++query) {
        for (int key = 0; key < pattern.columns; ++key) {
            const double share = double{pattern.at({query, key})} / pattern.rows;
            if (key > query)
                ahead += share;
            else
                back[static_cast<std::size_t>(query - key)] += share;
        }
    }
    for (int begin = 0, end = 1; begin < pattern.rows;) {
        end = std::min(end, pattern.rows);
        Bar bar;
        bar.label = rangeText(begin, end);
        for (int distance = begin; distance < end; ++distance)
            bar.value += back[static_cast<std::size_t>(distance)];
        bars.push_back(bar);
        begin = end;
        end = 2 * begin;
    }
    if (ahead > 0.0) {
        Bar bar;
        bar.label = tr("ahead");
        bar.value = ahead;
        bars.push_back(bar);
    }
    const auto largest = std::max_element(
        bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.value < b.value; });
    largest->subject = true;
    largest->role = Role::Accent;
    return bars;
}

QString whyUndefined(const HeadScoreTable& table, const HeadsChoice& choice, AttentionPart part)
{
    for (int layer = 0; layer < table.layers; ++layer)
        for (int head = 0; head < table.heads; ++head)
            if (!std::isnan(table.at({layer, head}, choice.score)))
                return {};
    if (part == AttentionPart::Cross)
        return tr("Query and key stand in two texts, so only entropy and the first token say "
                  "something.");
    if (choice.score == HeadScore::Induction && !choice.onProbe)
        return tr("No token of this text comes twice, so there is nothing to induce from. Try "
                  "random repeats.");
    return tr("This score is not defined here.");
}

Figure headsFigure(const Looking& looking, const QJsonObject& options)
{
    const HeadsChoice choice = headsChoice(options);
    HeadScoreTables tables;
    if (choice.onProbe && looking.model().model)
        tables = runProbe(looking.model())->tables;
    else if (looking.trace())
        tables = scoreText(*looking.trace());
    const auto found = tables.find(looking.selection.part);
    return headsFigure(looking, choice, found != tables.end() ? found->second : HeadScoreTable());
}

Figure headsFigure(const Looking& looking, const HeadsChoice& choice, const HeadScoreTable& table)
{
    Figure figure = figureOf(looking, tr("Heads by %1").arg(scoreTitle(choice.score).toLower()));
    if (table.isEmpty())
        return figure;
    const HeadsPicture picture{scoreGrid(looking, table, choice.score),
                               scoreLegend(looking, table, choice.score), topBars(table, choice),
                               fullValue(table, choice.score)};
    figure.caption = tr("%1 Measured on %2.")
                         .arg(scoreMeaning(choice.score),
                              choice.onProbe ? tr("random tokens said twice") : tr("this text"));
    figure.size = [picture](const Theme& theme) { return wantedSize(picture, theme); };
    figure.paint = [picture](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget& target) {
        paintHeads(painter, area, picture, theme, target);
    };
    figure.numbers.push_back(scoresTable(table));
    return figure;
}

} // namespace headscope::ui
