#include "ui/pages/heads/heads_content.h"

#include "ui/widgets/tr.h"

#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QString rangeText(int begin, int end)
{
    return end - begin == 1 ? QString::number(begin)
                            : QStringLiteral("%1\u2013%2").arg(begin).arg(end - 1);
}

/// Text-based counterpart of a score defined on random repeats.
HeadScore onText(HeadScore score)
{
    if (score == HeadScore::InductionStripe || score == HeadScore::PrefixMatching)
        return HeadScore::InductionOnText;
    return score == HeadScore::DuplicateStripe ? HeadScore::DuplicateFraction : score;
}

/// Values at the ends of the colour map. For scores without an upper bound: the largest here.
struct Ends
{
    double low = 0.0;
    double high = 1.0;
    bool isLargest = false;

    double fraction(double value) const
    {
        return std::clamp((value - low) / (high - low), 0.0, 1.0);
    }
};

Ends endsOf(const HeadsColumn& column)
{
    const HeadScoreInfo& info = infoOf(column.score);
    Ends ends{std::isinf(info.low) ? 0.0 : info.low, info.high, std::isinf(info.high)};
    ends.isLargest = ends.isLargest || column.isDifference;
    if (!ends.isLargest)
        return ends;
    ends.high = 0.0;
    for (int place = 0; column.table && place < column.table->layers * column.table->heads;
         ++place) {
        const double value = column.at({place / column.table->heads, place % column.table->heads});
        ends.high = std::fmax(ends.high, column.isDifference ? std::abs(value) : value);
    }
    if (ends.high <= 0.0)
        ends.high = 1.0;
    if (column.isDifference)
        ends.low = -ends.high;
    return ends;
}

MapName mapOf(const ViewSnapshot& view, const HeadsColumn& column)
{
    const bool isSigned = column.isDifference || infoOf(column.score).low == -1.0;
    return isSigned ? MapName::Balance : view.colourMap;
}

bool isShown(const std::vector<HeadId>& shown, HeadId head)
{
    return std::find(shown.begin(), shown.end(), head) != shown.end();
}

} // namespace

HeadsChoice headsChoice(const QJsonObject& options)
{
    HeadsChoice choice;
    choice.onProbe =
        options.value(QLatin1String("measured")).toString() == QLatin1String("repeats");
    const QString sort = options.value(QLatin1String("sort")).toString();
    // Earlier versions had one name for both of these.
    choice.score = sort == QLatin1String("induction")   ? HeadScore::InductionStripe
                   : sort == QLatin1String("duplicate") ? HeadScore::DuplicateStripe
                                                        : scoreNamed(sort).value_or(choice.score);
    choice.rising = options.value(QLatin1String("rising")).toBool();
    choice.similar = options.value(QLatin1String("picture")).toString() == QLatin1String("similar");
    choice.top = std::max(options.value(QLatin1String("top")).toInt(), 0);
    choice.label = headLabelNamed(options.value(QLatin1String("label")).toString().toStdString());
    return choice;
}

QJsonObject toJson(const HeadsChoice& choice)
{
    QJsonObject json{{QStringLiteral("sort"), scoreKey(choice.score)},
                     {QStringLiteral("rising"), choice.rising},
                     {QStringLiteral("measured"),
                      choice.onProbe ? QStringLiteral("repeats") : QStringLiteral("text")},
                     {QStringLiteral("picture"),
                      choice.similar ? QStringLiteral("similar") : QStringLiteral("map")},
                     {QStringLiteral("top"), choice.top}};
    if (choice.label)
        json.insert(QStringLiteral("label"), QString::fromUtf8(ruleOf(*choice.label).key.data()));
    return json;
}

std::vector<HeadsColumn> headsColumns(const HeadsMeasured& measured, HeadScore score)
{
    const HeadScoreNeeds needs = infoOf(score).needs;
    if (needs == HeadScoreNeeds::Weights)
        return {{measured.survey, score, tr("From the weights"), scoreMeaning(score)}};
    if (needs == HeadScoreNeeds::Samples)
        return {{measured.survey, score, tr("On sample texts"), scoreMeaning(score)}};
    const HeadScore here = onText(score);
    return {{measured.text, here,
             measured.isDifference ? tr("B\u2212A on this text") : tr("On this text"),
             here == score ? scoreMeaning(here)
                           : tr("%1: %2").arg(scoreTitle(here), scoreMeaning(here)),
             measured.isDifference},
            {measured.repeats, score, tr("On random repeats"), scoreMeaning(score)}};
}

int sortedColumn(const HeadsMeasured& measured, const HeadsChoice& choice)
{
    const auto columns = static_cast<int>(headsColumns(measured, choice.score).size());
    return columns > 1 && choice.onProbe ? 1 : 0;
}

HeadsColumn sortedBy(const HeadsMeasured& measured, const HeadsChoice& choice)
{
    const auto column = static_cast<std::size_t>(sortedColumn(measured, choice));
    return headsColumns(measured, choice.score)[column];
}

/// In the model's order until the score is measured.
std::vector<HeadId> rankedHeads(const HeadsMeasured& measured, const HeadsChoice& choice)
{
    const HeadsColumn column = sortedBy(measured, choice);
    const HeadScoreTable* table = column.table    ? column.table
                                  : measured.text ? measured.text
                                                  : measured.repeats;
    if (!table)
        return {};
    if (column.table)
        return table->ranked(column.score, choice.rising);
    std::vector<HeadId> order;
    for (int place = 0; place < table->layers * table->heads; ++place)
        order.push_back({table->attention, place / table->heads, place % table->heads});
    return order;
}

std::vector<HeadId> shownHeads(const HeadsMeasured& measured, const HeadsChoice& choice)
{
    std::vector<HeadId> shown = rankedHeads(measured, choice);
    if (choice.label)
        std::erase_if(shown, [&](HeadId head) {
            return !measured.labels || !measured.labels->find(head, *choice.label);
        });
    if (choice.top > 0 && shown.size() > static_cast<std::size_t>(choice.top))
        shown.resize(static_cast<std::size_t>(choice.top));
    return shown;
}

QString labelText(const HeadLabelTable* labels, HeadId head)
{
    QStringList words;
    if (labels)
        for (const HeadLabel& label : labels->at(head))
            words.append(labelTitle(label.kind));
    return words.join(QStringLiteral(", "));
}

HeadGridContent scoreGrid(const ViewSnapshot& view, const HeadsColumn& column,
                          const std::vector<HeadId>& shown)
{
    HeadGridContent content = gridContent(view);
    if (column.table) {
        content.layers = column.table->layers;
        content.heads = column.table->heads;
    }
    content.map = mapOf(view, column);
    content.outlined = true;
    content.thumbnails.clear();
    const Ends ends = endsOf(column);
    for (int layer = 0; layer < content.layers; ++layer) {
        for (int head = 0; head < content.heads; ++head) {
            const HeadId id{view.selection.part, layer, head};
            const double value = column.at(id);
            const bool hidden = std::isnan(value) || !isShown(shown, id);
            const auto level =
                static_cast<std::uint8_t>(std::lround(hidden ? 0.0 : ends.fraction(value) * 254.0));
            content.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
                HeadThumbnail{1, 1, {hidden ? HeadThumbnail::kMasked : level}}));
        }
    }
    return content;
}

ColourBarContent scoreLegend(const ViewSnapshot& view, const HeadsColumn& column)
{
    const Ends ends = endsOf(column);
    ColourBarContent legend;
    legend.scale = {mapOf(view, column), static_cast<float>(ends.low),
                    static_cast<float>(ends.high), 1.0};
    legend.title =
        column.isDifference
            ? tr("B\u2212A: %1, up to the largest here").arg(scoreInSentence(column.score))
        : ends.isLargest ? tr("%1, up to the largest here").arg(scoreTitle(column.score))
                         : scaleTitle(scoreTitle(column.score), legend.scale, false);
    legend.warn = ends.isLargest;
    return legend;
}

PointMapContent likenessMap(const ViewSnapshot& view, const HeadLikeness& likeness,
                            const HeadsColumn& column, const std::vector<HeadId>& shown)
{
    PointMapContent content;
    content.map = mapOf(view, column);
    content.clusters = static_cast<int>(likeness.clusterCount);
    const Ends ends = endsOf(column);
    for (std::size_t index = 0; index < likeness.plane.points.size(); ++index) {
        const HeadId head = likeness.headAt(index);
        const double value = column.at(head);
        MapPoint point;
        point.name = QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
        point.x = likeness.plane.points[index][0];
        point.y = likeness.plane.points[index][1];
        point.shade = std::isnan(value) ? value : ends.fraction(value);
        point.cluster = static_cast<int>(likeness.clusters[index]);
        point.faint = !isShown(shown, head);
        content.points.push_back(std::move(point));
    }
    const HeadId active = view.selection.headId();
    if (const auto index = likeness.indexOf(active)) {
        content.selected = static_cast<int>(*index);
        for (const HeadLikeness::Near& near : likeness.nearest(active, 3))
            content.linked.push_back(static_cast<int>(*likeness.indexOf(near.head)));
    }
    return content;
}

std::vector<ScoreColumn> scoreColumns(const std::vector<HeadsColumn>& columns)
{
    std::vector<ScoreColumn> shown;
    for (const HeadsColumn& column : columns) {
        const HeadScoreInfo& info = infoOf(column.score);
        const bool inTokens = info.needs == HeadScoreNeeds::Text && std::isinf(info.high) &&
                              column.score != HeadScore::Entropy;
        const double full = column.isDifference ? 0.0 : endsOf(column).high;
        shown.push_back({column.title, column.toolTip, inTokens ? 1 : 3, full});
    }
    return shown;
}

std::vector<ScoreRow> scoreRows(const std::vector<HeadsColumn>& columns,
                                const std::vector<HeadId>& shown, const HeadLabelTable* labels,
                                int keyValueHeads)
{
    std::vector<ScoreRow> rows;
    int heads = 0;
    for (const HeadsColumn& column : columns)
        heads = std::max(heads, column.table ? column.table->heads : 0);
    const bool grouped = keyValueHeads > 0 && keyValueHeads < heads;
    for (const HeadId head : shown) {
        ScoreRow row;
        row.name = QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
        if (grouped)
            row.note = tr("KV %1").arg(head.head * keyValueHeads / heads);
        row.words = labelText(labels, head);
        for (const HeadsColumn& column : columns)
            row.values.push_back(column.at(head));
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
            const double fraction = double{pattern.at({query, key})} / pattern.rows;
            if (key > query)
                ahead += fraction;
            else
                back[static_cast<std::size_t>(query - key)] += fraction;
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

QString whyUndefined(const HeadsColumn& column)
{
    return column.table && !column.table->isEmpty() ? whyText(column.table->why(column.score))
                                                    : QString();
}

} // namespace headscope::ui
