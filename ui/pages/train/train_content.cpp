#include "ui/pages/train/train_content.h"

#include "ui/pages/train/train_texts.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headscope::ui {

namespace {

constexpr std::size_t kMostCurves = 8;
/// TrainOptions::Lower in files.
constexpr const char* kLower[] = {"scores", "gradient", "rate", "experts"};
/// Fraction of a curve's points within the smoothing radius.
constexpr std::size_t kSmoothedPart = 60;

/// Running means, so that smoothing takes linear time.
std::vector<QPointF> condensed(const std::vector<QPointF>& points)
{
    constexpr std::size_t kMost = 600;
    const std::size_t size = (points.size() + kMost - 1) / kMost;
    if (size < 2)
        return points;
    std::vector<QPointF> kept;
    for (std::size_t first = 0; first < points.size(); first += size) {
        const std::size_t end = std::min(first + size, points.size());
        double total = 0.0;
        for (std::size_t index = first; index < end; ++index)
            total += points[index].y();
        kept.emplace_back(points[end - 1].x(), total / static_cast<double>(end - first));
    }
    return kept;
}

std::vector<QPointF> smoothCurve(const std::vector<QPointF>& all)
{
    const std::vector<QPointF> points = condensed(all);
    return smoothedPoints(points, std::max<std::size_t>(2, points.size() / kSmoothedPart));
}

/// The planned part that is still to come is dashed.
LineChartCurve plannedRates(const TrainingRecord& record)
{
    LineChartCurve curve;
    curve.name = tr("planned");
    curve.dashed = true;
    const double peak = record.settings.learningRate > 0.0 ? record.settings.learningRate
                                                           : record.config.optimizer.learningRate;
    const std::vector<double> rates =
        record.config.schedule.curve(peak, std::max(record.steps, record.step));
    for (std::size_t step = 0; step < rates.size(); ++step)
        curve.points.emplace_back(static_cast<double>(step + 1), rates[step]);
    return curve;
}

LineChartContent emptyChart(const TrainContent& trainContent, const QString& title)
{
    LineChartContent content;
    content.title = title;
    content.unit = tr("step");
    content.x = stepAxis(trainContent);
    content.jumps = jumpsOf(trainContent.record);
    for (const RunEvent& event : trainContent.record.events) {
        const bool isFault = event.kind == RunEvent::Kind::Diverged;
        if (isFault)
            content.marks.push_back({double(event.step), tr("diverged"), true});
        else if (event.kind == RunEvent::Kind::SettingsChanged)
            content.marks.push_back({double(event.step), messageText(event.text), false});
    }
    if (const auto reached = inductionOf(trainContent.record))
        content.marks.push_back({double(reached->step), inductionText(trainContent.record), false});
    if (trainContent.shown)
        content.shown = static_cast<double>(*trainContent.shown);
    return content;
}

void finish(LineChartContent& content, const TrainContent& trainContent)
{
    std::erase_if(content.curves, [](const LineChartCurve& curve) {
        return curve.points.empty() && curve.raw.empty();
    });
    content.y = axisOf(content.curves, trainContent.options.logarithmicValues);
    if (content.note.isEmpty() && !content.isEmpty())
        content.note = tr("hover over a step to read it");
}

LineChartContent accuracyChart(const TrainContent& trainContent)
{
    LineChartContent content = emptyChart(trainContent, tr("Accuracy"));
    LineChartCurve curve;
    curve.name = tr("held out");
    curve.tone = LineChartCurve::Tone::Subject;
    curve.points = trainContent.record.accuracy;
    content.curves = {curve};
    finish(content, trainContent);
    if (!trainContent.options.logarithmicValues)
        content.y = {0.0, 1.0, false};
    return content;
}

struct PartText
{
    const char* part; ///< Key of TrainingRecord::lossParts.
    const char* name;
    const char* ending; ///< Name at the end of the curve.
};

constexpr PartText kParts[] = {
    {"mlm", QT_TR_NOOP("masked words"), QT_TR_NOOP("masked")},
    {"nsp", QT_TR_NOOP("next sentence"), QT_TR_NOOP("next sent.")},
    {"balance", QT_TR_NOOP("balancing"), QT_TR_NOOP("balancing")},
};

/// Terms of a loss that has several.
std::vector<LineChartCurve> partCurves(const TrainingRecord& record)
{
    std::vector<LineChartCurve> curves;
    for (const PartText& part : kParts) {
        const auto found = record.lossParts.find(part.part);
        if (found == record.lossParts.end())
            continue;
        LineChartCurve curve;
        curve.name = tr(part.name);
        curve.ending = tr(part.ending);
        curve.tone = LineChartCurve::Tone::Head;
        curve.slot = static_cast<int>(&part - kParts);
        curve.points = smoothCurve(found->second);
        curves.push_back(std::move(curve));
    }
    return curves;
}

LineChartContent lossChart(const TrainContent& trainContent)
{
    LineChartContent content = emptyChart(trainContent, tr("Loss"));
    LineChartCurve validation;
    validation.name = tr("validation");
    validation.tone = LineChartCurve::Tone::Subject;
    validation.points = trainContent.record.validation;
    LineChartCurve training;
    training.name = tr("training");
    training.raw = trainContent.record.loss;
    training.points = smoothCurve(training.raw);
    content.curves = {validation, training};
    for (LineChartCurve& part : partCurves(trainContent.record))
        content.curves.push_back(std::move(part));
    content.perplexity = trainContent.record.config.loss.labelSmoothing == 0.0;
    content.note = tr("nats per token");
    finish(content, trainContent);
    return content;
}

LineChartContent gradientChart(const TrainContent& trainContent)
{
    LineChartContent content = emptyChart(trainContent, tr("Gradient norm"));
    content.decimals = -1;
    LineChartCurve whole;
    whole.name = tr("total");
    whole.tone = LineChartCurve::Tone::Subject;
    whole.raw = trainContent.record.gradientNorm;
    whole.points = smoothCurve(whole.raw);
    content.curves = {whole};
    int slot = 0;
    for (const auto& [layer, norms] : trainContent.record.layerNorms) {
        LineChartCurve curve;
        curve.name = QString::fromStdString(layer);
        curve.tone = LineChartCurve::Tone::Head;
        curve.slot = slot++;
        curve.points = smoothCurve(norms);
        content.curves.push_back(std::move(curve));
    }
    content.note = tr("before clipping, total and by layer");
    finish(content, trainContent);
    return content;
}

LineChartContent rateChart(const TrainContent& trainContent)
{
    LineChartContent content = emptyChart(trainContent, tr("Learning rate"));
    content.decimals = -1;
    LineChartCurve used;
    used.name = tr("used");
    used.tone = LineChartCurve::Tone::Subject;
    used.points = trainContent.record.learningRate;
    content.curves = {used, plannedRates(trainContent.record)};
    finish(content, trainContent);
    return content;
}

QString placeName(const HeadId& place)
{
    return QStringLiteral("%1.%2").arg(place.layer).arg(place.head);
}

double largest(std::span<const double> values)
{
    double best = -1.0;
    for (const double value : values)
        best = std::isfinite(value) ? std::max(best, value) : best;
    return best;
}

LineChartCurve scoreCurve(const HeadCurves& heads, const std::string& score, const HeadId& place)
{
    LineChartCurve curve;
    curve.name = QString::fromStdString(toString(place));
    curve.ending = placeName(place);
    const std::vector<double> values = heads.curve(score, place);
    const std::vector<std::int64_t> steps = heads.steps();
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (std::isfinite(values[index]))
            curve.points.emplace_back(double(steps[index]), values[index]);
    }
    return curve;
}

/// Heads whose score rose highest, in order of head number.
std::vector<HeadId> strongest(const HeadCurves& heads, const std::string& score)
{
    std::vector<std::pair<double, HeadId>> ranked;
    for (const HeadId& place : heads.places()) {
        const double best = largest(heads.curve(score, place));
        if (best >= 0.0)
            ranked.emplace_back(-best, place);
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), kMostCurves));
    std::vector<HeadId> places;
    for (const auto& [rank, place] : ranked)
        places.push_back(place);
    std::sort(places.begin(), places.end());
    return places;
}

/// An induction head reads the output of a previous-token head.
std::optional<LineChartCurve> helperCurve(const HeadCurves& heads, const std::string& score)
{
    const std::vector<std::string> names = heads.names();
    if (score != "induction" ||
        std::find(names.begin(), names.end(), "previous_token") == names.end())
        return std::nullopt;
    std::optional<HeadId> best;
    double highest = -1.0;
    for (const HeadId& place : heads.places()) {
        const double value = largest(heads.curve("previous_token", place));
        if (value > highest) {
            highest = value;
            best = place;
        }
    }
    if (!best)
        return std::nullopt;
    LineChartCurve curve = scoreCurve(heads, "previous_token", *best);
    curve.name += QLatin1Char(' ') + tr("previous");
    curve.ending += QLatin1Char(' ') + tr("prev.");
    curve.dashed = true;
    return curve;
}

LineChartContent scoresChart(const TrainContent& trainContent)
{
    const HeadCurves& heads = trainContent.record.heads;
    const std::string score = scoreInUse(trainContent).toStdString();
    LineChartContent content = emptyChart(trainContent, tr("Head scores"));
    const std::vector<HeadId> places = strongest(heads, score);
    int slot = 0;
    for (const HeadId& place : places) {
        LineChartCurve curve = scoreCurve(heads, score, place);
        curve.tone = LineChartCurve::Tone::Head;
        curve.slot = slot++;
        content.curves.push_back(std::move(curve));
    }
    if (const auto helper = helperCurve(heads, score))
        content.curves.push_back(*helper);
    const std::size_t all = heads.places().size();
    content.note = all > places.size()
                       ? tr("the %1 highest of %2 heads").arg(places.size()).arg(all)
                       : QString();
    finish(content, trainContent);
    if (!trainContent.options.logarithmicValues)
        content.y = {0.0, 1.0, false};
    return content;
}

/// "0.3" of one stack, "enc.0.3" of two.
QString expertName(const std::string& layer, std::size_t expert)
{
    const QString name = QString::fromStdString(layer);
    return QStringLiteral("%1.%2")
        .arg(name.startsWith(QLatin1String("h.")) ? name.mid(2) : name)
        .arg(expert);
}

/// Load of one expert over the steps.
LineChartCurve loadCurve(const std::vector<HeadScorePoint>& points, std::size_t layer,
                         std::size_t expert)
{
    LineChartCurve curve;
    curve.name = expertName(points.back().experts[layer].layer, expert);
    curve.tone = LineChartCurve::Tone::Head;
    for (const HeadScorePoint& point : points)
        if (layer < point.experts.size() && expert < point.experts[layer].fractions.size())
            curve.points.emplace_back(double(point.step), point.experts[layer].fractions[expert]);
    return curve;
}

double highestOf(const LineChartCurve& curve)
{
    double highest = 0.0;
    for (const QPointF& point : curve.points)
        highest = std::max(highest, point.y());
    return highest;
}

/// Keeps the curves that rose highest, in their order.
void keepHighest(std::vector<LineChartCurve>& curves)
{
    std::vector<std::pair<double, std::size_t>> ranked;
    for (const LineChartCurve& curve : curves)
        ranked.emplace_back(-highestOf(curve), ranked.size());
    std::ranges::sort(ranked);
    ranked.resize(std::min(ranked.size(), kMostCurves));
    std::ranges::sort(ranked, {}, &std::pair<double, std::size_t>::second);
    std::vector<LineChartCurve> kept;
    for (const auto& [rank, index] : ranked)
        kept.push_back(std::move(curves[index]));
    curves = std::move(kept);
}

/// The experts whose load rose highest, by layer, and the even load.
LineChartContent expertsChart(const TrainContent& trainContent)
{
    LineChartContent content = emptyChart(trainContent, tr("Expert load"));
    double even = 0.0;
    const std::vector<HeadScorePoint>& points = trainContent.record.heads.points();
    for (std::size_t layer = 0; layer < points.back().experts.size(); ++layer) {
        const std::size_t experts = points.back().experts[layer].fractions.size();
        even = 1.0 / static_cast<double>(experts);
        for (std::size_t expert = 0; expert < experts; ++expert)
            content.curves.push_back(loadCurve(points, layer, expert));
    }
    const std::size_t all = content.curves.size();
    keepHighest(content.curves);
    for (std::size_t index = 0; index < content.curves.size(); ++index)
        content.curves[index].slot = static_cast<int>(index);
    content.note = tr("layer.expert, fraction of all choices; even: %1").arg(number(even, 3));
    if (all > kMostCurves)
        content.note += tr("; the %1 highest of %2").arg(kMostCurves).arg(all);
    finish(content, trainContent);
    if (!trainContent.options.logarithmicValues)
        content.y.low = 0.0; // of many experts none has a large part of the load
    return content;
}

} // namespace

TrainOptions TrainOptions::fromJson(const QJsonObject& object)
{
    TrainOptions options;
    options.upper = object["upper"].toString() == "accuracy" ? Upper::Accuracy : Upper::Loss;
    const QString lower = object["lower"].toString();
    const auto known = std::find(std::begin(kLower), std::end(kLower), lower);
    options.lower = known == std::end(kLower)
                        ? Lower::Scores
                        : static_cast<Lower>(std::distance(std::begin(kLower), known));
    options.score = object["score"].toString();
    options.logarithmicSteps = object["log_steps"].toBool();
    options.logarithmicValues = object["log_values"].toBool();
    options.showsExperts = object["side"].toString() == "experts";
    return options;
}

QJsonObject TrainOptions::toJson() const
{
    return {{"upper", upper == Upper::Accuracy ? "accuracy" : "loss"},
            {"lower", QLatin1String(kLower[static_cast<std::size_t>(lower)])},
            {"score", score},
            {"log_steps", logarithmicSteps},
            {"log_values", logarithmicValues},
            {"side", showsExperts ? "experts" : "heads"}};
}

ChartAxis stepAxis(const TrainContent& trainContent)
{
    const double last = static_cast<double>(
        std::max({trainContent.record.steps, trainContent.record.step, std::int64_t{1}}));
    if (trainContent.options.logarithmicSteps)
        return {1.0, std::max(last, 2.0), true};
    return {0.0, last, false};
}

LineChartContent upperChart(const TrainContent& trainContent)
{
    return trainContent.options.upper == TrainOptions::Upper::Accuracy ? accuracyChart(trainContent)
                                                                       : lossChart(trainContent);
}

LineChartContent lowerChart(const TrainContent& trainContent)
{
    switch (trainContent.options.lower) {
    case TrainOptions::Lower::GradientNorm:
        return gradientChart(trainContent);
    case TrainOptions::Lower::LearningRate:
        return rateChart(trainContent);
    case TrainOptions::Lower::Experts:
        if (hasExperts(trainContent))
            return expertsChart(trainContent);
        break;
    case TrainOptions::Lower::Scores:
        break;
    }
    return scoresChart(trainContent);
}

bool hasExperts(const TrainContent& trainContent)
{
    const std::vector<HeadScorePoint>& points = trainContent.record.heads.points();
    return !points.empty() && !points.back().experts.empty();
}

QString scoreInUse(const TrainContent& trainContent)
{
    const std::vector<std::string> names = trainContent.record.heads.names();
    const auto has = [&names](const QString& name) {
        return std::find(names.begin(), names.end(), name.toStdString()) != names.end();
    };
    QStringList requests{trainContent.options.score, trainContent.scoreOfTask};
    if (!trainContent.record.jumps.empty())
        requests << QString::fromStdString(trainContent.record.jumps.front().curve);
    requests << "induction"
             << "diagonal"
             << "previous_token";
    for (const QString& request : requests) {
        if (has(request))
            return request;
    }
    return names.empty() ? QString() : QString::fromStdString(names.front());
}

TimelineContent timelineOf(const TrainContent& trainContent)
{
    const TrainingRecord& record = trainContent.record;
    TimelineContent content;
    content.x = stepAxis(trainContent);
    for (const SnapshotRecord& snapshot : record.snapshots)
        content.snapshots.push_back({double(snapshot.step), snapshot.isPinned});
    for (const ChartJump& jump : jumpsOf(record))
        content.jumps.push_back(jump.line());
    if (const auto reached = inductionOf(record))
        content.jumps.push_back(double(reached->step));
    content.trained = static_cast<double>(record.step);
    if (trainContent.shown && record.snapshotOf(*trainContent.shown) >= 0)
        content.shown = record.snapshotOf(*trainContent.shown);
    content.running = trainContent.running;
    content.canGrow = !record.isSeries();
    if (!record.snapshots.empty())
        content.note = (record.isSeries() ? tr("%1 checkpoints, %2") : tr("%1 snapshots, %2"))
                           .arg(record.snapshots.size())
                           .arg(bytesText(record.timelineBytes));
    return content;
}

} // namespace headscope::ui
