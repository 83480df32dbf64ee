#include "ui/pages/causal/causal_results.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

QJsonValue numberOf(double value)
{
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue();
}

double numberFrom(const QJsonValue& value)
{
    return value.isDouble() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
}

QJsonObject jsonOf(const AblationSweep& sweep)
{
    QJsonArray heads;
    for (const HeadEffect& effect : sweep.heads)
        heads.append(QJsonArray{
            effect.head.layer, effect.head.head, effect.head.attention == AttentionKind::Cross,
            stackOf(effect.head.attention) == Stack::Decoder, numberOf(effect.metric)});
    return {{"before", numberOf(sweep.before)},
            {"seconds", sweep.seconds},
            {"plainSeconds", sweep.plainSeconds},
            {"heads", heads}};
}

AblationSweep sweepFrom(const QJsonObject& json)
{
    AblationSweep sweep;
    sweep.before = numberFrom(json.value(QLatin1String("before")));
    sweep.seconds = json.value(QLatin1String("seconds")).toDouble();
    sweep.plainSeconds = json.value(QLatin1String("plainSeconds")).toDouble();
    for (const QJsonValue& value : json.value(QLatin1String("heads")).toArray()) {
        const QJsonArray one = value.toArray();
        HeadEffect effect;
        const bool ofDecoder = one.at(3).toBool();
        effect.head = {one.at(2).toBool() ? AttentionKind::Cross
                       : ofDecoder        ? AttentionKind::DecoderSelf
                                          : AttentionKind::Self,
                       one.at(0).toInt(), one.at(1).toInt()};
        effect.metric = numberFrom(one.at(4));
        effect.effect = effect.metric - sweep.before;
        sweep.heads.push_back(effect);
    }
    return sweep;
}

QJsonObject jsonOf(const PatchGrid& grid)
{
    QJsonArray metrics;
    for (const double value : grid.metrics)
        metrics.append(numberOf(value));
    return {{"site", QLatin1String(nameOf(grid.site))},
            {"rows", grid.rows},
            {"columns", grid.columns},
            {"clean", numberOf(grid.clean)},
            {"corrupted", numberOf(grid.corrupted)},
            {"seconds", grid.seconds},
            {"metrics", metrics}};
}

std::optional<PatchGrid> gridFrom(const QJsonObject& json)
{
    PatchGrid grid;
    const auto site = parsePatchSite(json.value(QLatin1String("site")).toString().toStdString());
    grid.rows = json.value(QLatin1String("rows")).toInt();
    grid.columns = json.value(QLatin1String("columns")).toInt();
    grid.clean = numberFrom(json.value(QLatin1String("clean")));
    grid.corrupted = numberFrom(json.value(QLatin1String("corrupted")));
    grid.seconds = json.value(QLatin1String("seconds")).toDouble();
    for (const QJsonValue& value : json.value(QLatin1String("metrics")).toArray())
        grid.metrics.push_back(numberFrom(value));
    const bool fits =
        grid.rows > 0 && grid.columns > 0 &&
        static_cast<qint64>(grid.metrics.size()) == static_cast<qint64>(grid.rows) * grid.columns;
    if (!site || !fits)
        return std::nullopt;
    grid.site = *site;
    return grid;
}

QJsonArray jsonOf(const FactAnswer& answer)
{
    return {answer.top, answer.topProbability, answer.answer, answer.answerProbability,
            answer.answerRank};
}

FactAnswer answerFrom(const QJsonValue& value)
{
    const QJsonArray json = value.toArray();
    return {json.at(0).toInt(), json.at(1).toDouble(), json.at(2).toInt(), json.at(3).toDouble(),
            json.at(4).toInt()};
}

QJsonObject jsonOf(const FactStep& step)
{
    QJsonArray places;
    for (const FactPosition& place : step.places)
        places.append(QJsonArray{place.layer, place.position, place.head, numberOf(place.restored),
                                 place.attendsTo, place.weight});
    QJsonObject json{{"kind", static_cast<int>(step.kind)}, {"places", places}};
    if (step.shows)
        json.insert(QStringLiteral("shows"), QLatin1String(nameOf(*step.shows)));
    return json;
}

FactStep stepFrom(const QJsonObject& json)
{
    FactStep step;
    step.kind =
        static_cast<FactStep::Kind>(std::clamp(json.value(QLatin1String("kind")).toInt(), 0, 5));
    for (const QJsonValue& value : json.value(QLatin1String("places")).toArray()) {
        const QJsonArray one = value.toArray();
        step.places.push_back({one.at(0).toInt(-1), one.at(1).toInt(-1), one.at(2).toInt(-1),
                               numberFrom(one.at(3)), one.at(4).toInt(-1), one.at(5).toDouble()});
    }
    step.shows = parsePatchSite(json.value(QLatin1String("shows")).toString().toStdString());
    return step;
}

QJsonObject jsonOf(const FactPath& path)
{
    QJsonArray steps, grids;
    for (const FactStep& step : path.steps)
        steps.append(jsonOf(step));
    for (const PatchGrid& grid : path.grids)
        grids.append(jsonOf(grid));
    return {{"row", static_cast<int>(path.row)},
            {"clean", numberOf(path.clean)},
            {"corrupted", numberOf(path.corrupted)},
            {"cleanAnswer", jsonOf(path.cleanAnswer)},
            {"corruptedAnswer", jsonOf(path.corruptedAnswer)},
            {"topFrom", path.topFrom},
            {"steps", steps},
            {"grids", grids}};
}

FactPath pathFrom(const QJsonObject& json)
{
    FactPath path;
    path.row = json.value(QLatin1String("row")).toInt();
    path.clean = numberFrom(json.value(QLatin1String("clean")));
    path.corrupted = numberFrom(json.value(QLatin1String("corrupted")));
    path.cleanAnswer = answerFrom(json.value(QLatin1String("cleanAnswer")));
    path.corruptedAnswer = answerFrom(json.value(QLatin1String("corruptedAnswer")));
    path.topFrom = json.value(QLatin1String("topFrom")).toInt(-1);
    for (const QJsonValue& step : json.value(QLatin1String("steps")).toArray())
        path.steps.push_back(stepFrom(step.toObject()));
    for (const QJsonValue& value : json.value(QLatin1String("grids")).toArray())
        if (auto grid = gridFrom(value.toObject()))
            path.grids.push_back(std::move(*grid));
    return path;
}

QByteArray keyFrom(const QJsonObject& json)
{
    return json.value(QLatin1String("key")).toString().toLatin1();
}

QJsonObject keyed(QJsonObject json, const QByteArray& key)
{
    json.insert(QStringLiteral("key"), QString::fromLatin1(key));
    return json;
}

} // namespace

CausalResults CausalResults::fromJson(const QJsonObject& json)
{
    CausalResults results;
    const QJsonObject sweep = json.value(QLatin1String("sweep")).toObject();
    if (!sweep.isEmpty())
        results.sweep = {keyFrom(sweep), sweepFrom(sweep)};
    const QJsonObject grid = json.value(QLatin1String("grid")).toObject();
    if (auto read = gridFrom(grid))
        results.grid = {keyFrom(grid), std::move(*read)};
    const QJsonObject path = json.value(QLatin1String("path")).toObject();
    if (!path.isEmpty())
        results.path = {keyFrom(path), pathFrom(path)};
    return results;
}

QJsonObject CausalResults::toJson() const
{
    QJsonObject json;
    if (sweep)
        json.insert(QStringLiteral("sweep"), keyed(jsonOf(sweep->sweep), sweep->key));
    if (grid)
        json.insert(QStringLiteral("grid"), keyed(jsonOf(grid->grid), grid->key));
    if (path)
        json.insert(QStringLiteral("path"), keyed(jsonOf(path->path), path->key));
    return json;
}

} // namespace headscope::ui
