#include "ui/pages/heads/heads_figure.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/tr.h"

#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLegend = 52.0;
constexpr double kGap = 24.0;
constexpr double kBars = 360.0;
constexpr double kPlane = 460.0;
constexpr std::size_t kListed = 16; // Number of heads listed in a figure.

struct HeadsMap
{
    HeadGridContent grid;
    PointMapContent plane; ///< Drawn in place of the grid if it has points.
    ColourBarContent legend;
    std::vector<Bar> bars;
    double full = 1.0;
};

std::vector<Bar> topBars(const HeadsColumn& column, const std::vector<HeadId>& shown)
{
    std::vector<Bar> bars;
    for (const HeadId head : shown) {
        const double value = column.at(head);
        if (bars.size() == kListed || std::isnan(value))
            break;
        Bar bar;
        bar.label = QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
        bar.value = value;
        bars.push_back(bar);
    }
    return bars;
}

QSizeF mapSize(const HeadsMap& image, const Theme& theme)
{
    if (!image.plane.points.empty())
        return QSizeF(kPlane, kPlane) * theme.scale();
    return headGridSize(image.grid, theme, 20.0 * theme.scale());
}

QSizeF wantedSize(const HeadsMap& image, const Theme& theme)
{
    const QSizeF map = mapSize(image, theme);
    const double height = std::max(map.height(), barsHeight(image.bars, theme));
    return {std::max(map.width() + kGap + kBars * theme.scale(), 540.0 * theme.scale()),
            height + kGap + kLegend * theme.scale()};
}

QSizeF paintMap(QPainter& painter, const QRectF& area, const HeadsMap& image, const Theme& theme,
                const FigureTarget& target)
{
    if (!image.plane.points.empty()) {
        const QSizeF size = mapSize(image, theme);
        paintPointMap(painter, QRectF(area.topLeft(), size), image.plane, theme);
        return size;
    }
    const HeadGridLayout layout(area, image.grid, theme, target.pixelRatio);
    const ColourLookup lookup({image.grid.map, 0.0F, 1.0F, 1.0}, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : image.grid.thumbnails)
        images.push_back(thumbnailImage(*thumbnail, lookup,
                                        std::max(qRound(layout.side() * target.pixelRatio), 1)));
    paintHeadGrid(painter, layout, images, image.grid, theme);
    // The size includes the offset from the page's corner.
    return layout.size() - QSizeF(area.x(), area.y());
}

void paintHeads(QPainter& painter, const QRectF& area, const HeadsMap& image, const Theme& theme,
                const FigureTarget& target)
{
    const double legend = kLegend * theme.scale();
    const double bars = kBars * theme.scale();
    const QSizeF map =
        paintMap(painter, area.adjusted(0, 0, -bars - kGap, -legend - kGap), image, theme, target);
    BarsOptions options;
    options.largest = image.full;
    paintBars(painter, QRectF(area.x() + map.width() + kGap, area.y(), bars, area.height()),
              image.bars, options, theme);
    const double below =
        std::max(area.y() + map.height(), area.y() + barsHeight(image.bars, theme)) + kGap;
    paintColourBar(painter, QRectF(area.x() + 28.0, below, area.width() - 28.0, legend),
                   image.legend, theme);
}

/// Distances of all pairs, heads down and across.
NumberTable distancesTable(const HeadLikeness& likeness)
{
    NumberRows rows;
    QStringList columns;
    const std::size_t heads = likeness.distances.heads.size();
    for (std::size_t a = 0; a < heads; ++a) {
        const HeadId head = likeness.headAt(a);
        columns << QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
        std::vector<double> values;
        for (std::size_t b = 0; b < heads; ++b)
            values.push_back(likeness.distances.mean(a, b));
        rows.add(columns.back(), values);
    }
    return rows.table(QStringLiteral("distances"), columns);
}

QString measuredText(const HeadsColumn& column, const HeadsMeasured& measured)
{
    const HeadScoreNeeds needs = infoOf(column.score).needs;
    if (needs == HeadScoreNeeds::Weights)
        return tr("the weights");
    if (needs == HeadScoreNeeds::Samples)
        return tr("sample texts");
    if (column.table == measured.repeats)
        return tr("repeated random tokens");
    return column.isDifference ? tr("this text: B\u2212A") : tr("this text");
}

template<class Tables, class Table>
const Table* tableOf(const Tables& tables, AttentionKind part)
{
    const auto found = tables.find(part);
    return found != tables.end() ? &found->second : nullptr;
}

bool needsSurvey(const HeadsChoice& choice)
{
    const HeadScoreNeeds needs = infoOf(choice.score).needs;
    return choice.label || needs == HeadScoreNeeds::Samples || needs == HeadScoreNeeds::Weights;
}

/// Default score: the first of these that the text defines.
HeadScore firstDefined(const HeadsMeasured& measured, HeadsChoice choice)
{
    const HeadScore wanted = choice.score;
    for (const HeadScore score : {wanted, HeadScore::PreviousToken, HeadScore::NormalisedEntropy}) {
        choice.score = score;
        if (whyUndefined(sortedBy(measured, choice)).isEmpty())
            return score;
    }
    return wanted;
}

} // namespace

Figure headsFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    HeadsChoice choice = headsChoice(options);
    const AttentionKind part = view.selection.part;
    HeadScoreTables text;
    HeadSurveyPtr survey;
    RepeatsProbePtr probe;
    HeadLabelTables labels;
    HeadLikenessPtr likeness;
    if (view.trace())
        text = scoreTrace(*view.trace());
    const bool isDifference = view.shown == Variant::Difference && view.isComparable();
    if (isDifference)
        text = differenceOf(scoreTrace(*view.a), text);
    if (view.model().model && needsSurvey(choice)) {
        survey = surveyHeads(view.model());
        probe = survey->repeats;
        labels = labelHeads(*survey);
    } else if (view.model().model && choice.onProbe) {
        probe = probeRepeats(view.model());
    }
    if (view.trace() && choice.similar)
        likeness = compareHeads(view.trace(), part);
    HeadsMeasured measured;
    measured.isDifference = isDifference;
    measured.text = tableOf<HeadScoreTables, HeadScoreTable>(text, part);
    if (probe)
        measured.repeats = tableOf<HeadScoreTables, HeadScoreTable>(probe->tables, part);
    if (survey)
        measured.survey = tableOf<HeadScoreTables, HeadScoreTable>(survey->tables, part);
    measured.labels = tableOf<HeadLabelTables, HeadLabelTable>(labels, part);
    if (!options.contains(QLatin1String("sort")))
        choice.score = firstDefined(measured, choice);
    return headsFigure(view, choice, measured, likeness);
}

Figure headsFigure(const ViewSnapshot& view, const HeadsChoice& choice,
                   const HeadsMeasured& measured, const HeadLikenessPtr& likeness)
{
    const HeadsColumn column = sortedBy(measured, choice);
    Figure figure = figureOf(view, tr("Heads by %1").arg(scoreInSentence(column.score)));
    if (!column.table || column.table->isEmpty())
        return figure;
    const std::vector<HeadId> shown = shownHeads(measured, choice);
    HeadsMap image{scoreGrid(view, column, shown),
                   {},
                   scoreLegend(view, column),
                   topBars(column, shown),
                   scoreColumns({column}).front().full};
    const bool isPlane = choice.similar && likeness && likeness->whyNot.empty();
    if (isPlane)
        image.plane = likenessMap(view, *likeness, column, shown);
    figure.caption =
        tr("%1 Measured on %2.").arg(scoreMeaning(column.score), measuredText(column, measured));
    if (const QString why = whyUndefined(column); !why.isEmpty())
        figure.caption += QLatin1Char(' ') + why;
    if (isPlane)
        figure.caption += tr(" Nearby heads behave alike on this text (Jensen-Shannon distances).");
    figure.size = [image](const Theme& theme) { return wantedSize(image, theme); };
    figure.paint = [image](QPainter& painter, const QRectF& area, const Theme& theme,
                           const FigureTarget& target) {
        paintHeads(painter, area, image, theme, target);
    };
    figure.numbers.push_back(scoresTable(*column.table));
    if (isPlane)
        figure.numbers.push_back(distancesTable(*likeness));
    return figure;
}

} // namespace headscope::ui
