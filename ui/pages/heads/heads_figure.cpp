#include "ui/pages/heads/heads_figure.h"
#include "ui/pages/heads/heads_content.h"
#include "ui/widgets/heads/head_grid_paint.h"

#include <QCoreApplication>
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

QString tr(const char* text)
{
    return QCoreApplication::translate("Heads", text);
}

struct HeadsPicture
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

QSizeF pictureSize(const HeadsPicture& picture, const Theme& theme)
{
    if (!picture.plane.points.empty())
        return QSizeF(kPlane, kPlane) * theme.scale();
    return headGridSize(picture.grid, theme, 20.0 * theme.scale());
}

QSizeF wantedSize(const HeadsPicture& picture, const Theme& theme)
{
    const QSizeF map = pictureSize(picture, theme);
    const double height = std::max(map.height(), barsHeight(picture.bars, theme));
    return {std::max(map.width() + kGap + kBars * theme.scale(), 540.0 * theme.scale()),
            height + kGap + kLegend * theme.scale()};
}

QSizeF paintMap(QPainter& painter, const QRectF& area, const HeadsPicture& picture,
                const Theme& theme, const FigureTarget& target)
{
    if (!picture.plane.points.empty()) {
        const QSizeF size = pictureSize(picture, theme);
        paintPointMap(painter, QRectF(area.topLeft(), size), picture.plane, theme);
        return size;
    }
    const HeadGridLayout layout(area, picture.grid, theme, target.pixelRatio);
    const ColourLookup lookup({picture.grid.map, 0.0F, 1.0F, 1.0}, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : picture.grid.thumbnails)
        images.push_back(thumbnailImage(*thumbnail, lookup,
                                        std::max(qRound(layout.side() * target.pixelRatio), 1)));
    paintHeadGrid(painter, layout, images, picture.grid, theme);
    // The size includes the offset from the page's corner.
    return layout.size() - QSizeF(area.x(), area.y());
}

void paintHeads(QPainter& painter, const QRectF& area, const HeadsPicture& picture,
                const Theme& theme, const FigureTarget& target)
{
    const double legend = kLegend * theme.scale();
    const double bars = kBars * theme.scale();
    const QSizeF map = paintMap(painter, area.adjusted(0, 0, -bars - kGap, -legend - kGap), picture,
                                theme, target);
    BarsOptions options;
    options.largest = picture.full;
    paintBars(painter, QRectF(area.x() + map.width() + kGap, area.y(), bars, area.height()),
              picture.bars, options, theme);
    const double below =
        std::max(area.y() + map.height(), area.y() + barsHeight(picture.bars, theme)) + kGap;
    paintColourBar(painter, QRectF(area.x() + 28.0, below, area.width() - 28.0, legend),
                   picture.legend, theme);
}

/// Distances of all pairs, heads down and across.
NumberTable distancesTable(const HeadLikeness& likeness)
{
    NumberTable numbers{QStringLiteral("distances"), {}, {}, {}};
    std::vector<float> values;
    const std::size_t heads = likeness.distances.heads.size();
    for (std::size_t a = 0; a < heads; ++a) {
        const HeadId head = likeness.headAt(a);
        numbers.rows << QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
        for (std::size_t b = 0; b < heads; ++b)
            values.push_back(static_cast<float>(likeness.distances.mean(a, b)));
    }
    numbers.columns = numbers.rows;
    numbers.values =
        HeatmapMatrix::copyOf(std::move(values), static_cast<int>(heads), static_cast<int>(heads));
    return numbers;
}

QString measuredWords(const HeadsColumn& column, const HeadsMeasured& measured)
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

Figure headsFigure(const Looking& looking, const QJsonObject& options)
{
    HeadsChoice choice = headsChoice(options);
    const AttentionKind part = looking.selection.part;
    HeadScoreTables text;
    HeadSurveyPtr survey;
    RepeatsProbePtr probe;
    HeadLabelTables labels;
    HeadLikenessPtr likeness;
    if (looking.trace())
        text = scoreTrace(*looking.trace());
    const bool isDifference = looking.shown == Variant::Difference && looking.isComparable();
    if (isDifference)
        text = differenceOf(scoreTrace(*looking.a), text);
    if (looking.model().model && needsSurvey(choice)) {
        survey = surveyHeads(looking.model());
        probe = survey->repeats;
        labels = labelHeads(*survey);
    } else if (looking.model().model && choice.onProbe) {
        probe = probeRepeats(looking.model());
    }
    if (looking.trace() && choice.similar)
        likeness = compareHeads(looking.trace(), part);
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
    return headsFigure(looking, choice, measured, likeness);
}

Figure headsFigure(const Looking& looking, const HeadsChoice& choice, const HeadsMeasured& measured,
                   const HeadLikenessPtr& likeness)
{
    const HeadsColumn column = sortedBy(measured, choice);
    Figure figure = figureOf(looking, tr("Heads by %1").arg(scoreInSentence(column.score)));
    if (!column.table || column.table->isEmpty())
        return figure;
    const std::vector<HeadId> shown = shownHeads(measured, choice);
    HeadsPicture picture{scoreGrid(looking, column, shown),
                         {},
                         scoreLegend(looking, column),
                         topBars(column, shown),
                         scoreColumns({column}).front().full};
    const bool isPlane = choice.similar && likeness && likeness->whyNot.empty();
    if (isPlane)
        picture.plane = likenessMap(looking, *likeness, column, shown);
    figure.caption =
        tr("%1 Measured on %2.").arg(scoreMeaning(column.score), measuredWords(column, measured));
    if (const QString why = whyUndefined(column); !why.isEmpty())
        figure.caption += QLatin1Char(' ') + why;
    if (isPlane)
        figure.caption += tr(" Nearby heads behave alike on this text (Jensen-Shannon distances).");
    figure.size = [picture](const Theme& theme) { return wantedSize(picture, theme); };
    figure.paint = [picture](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget& target) {
        paintHeads(painter, area, picture, theme, target);
    };
    figure.numbers.push_back(scoresTable(*column.table));
    if (isPlane)
        figure.numbers.push_back(distancesTable(*likeness));
    return figure;
}

} // namespace headscope::ui
