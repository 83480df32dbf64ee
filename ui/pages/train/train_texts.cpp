#include "ui/pages/train/train_texts.h"

#include "core/model/config/size_report.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/session/changes/changes.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Score from which on a head is taken for an induction head.
constexpr double kInductionLevel = 0.5;

struct ScoreText
{
    const char* name;
    const char* words;
    const char* brief;
};

constexpr ScoreText kScores[] = {
    {"previous_token", QT_TR_NOOP("Previous token"), QT_TR_NOOP("previous")},
    {"first_token", QT_TR_NOOP("First token"), QT_TR_NOOP("first")},
    {"self", QT_TR_NOOP("Itself"), QT_TR_NOOP("itself")},
    {"entropy", QT_TR_NOOP("Entropy"), QT_TR_NOOP("entropy")},
    {"induction", QT_TR_NOOP("Induction"), QT_TR_NOOP("induct.")},
    {"duplicate_token", QT_TR_NOOP("Duplicate token"), QT_TR_NOOP("duplicate")},
    {"diagonal", QT_TR_NOOP("Diagonal"), QT_TR_NOOP("diagonal")},
    {"antidiagonal", QT_TR_NOOP("Anti-diagonal"), QT_TR_NOOP("anti-diag.")},
};

const ScoreText* wordsOf(const QString& score)
{
    const auto found = std::find_if(std::begin(kScores), std::end(kScores), [&](const auto& entry) {
        return score == QLatin1String(entry.name);
    });
    return found == std::end(kScores) ? nullptr : found;
}

/// Value of the last point at or before the shown step.
std::optional<double> valueOf(const std::vector<QPointF>& points, const TrainContent& trainContent)
{
    const double step = static_cast<double>(trainContent.shown.value_or(trainContent.record.step));
    return valueAt(points, step);
}

QString smallNumber(double value)
{
    const double size = std::abs(value);
    return size > 0.0 && size < 1e-4 ? QString::number(value, 'e', 1)
                                     : QString::number(value, 'g', 3);
}

/// The newest scores at or before the shown step.
const HeadScorePoint* scoresAt(const TrainContent& trainContent)
{
    const std::int64_t step = trainContent.shown.value_or(trainContent.record.step);
    const HeadScorePoint* found = nullptr;
    for (const HeadScorePoint& point : trainContent.record.heads.points()) {
        if (point.step <= step)
            found = &point;
    }
    return found;
}

QString layersAndHeads(const ModelConfig& config)
{
    if (config.isEncoderDecoder())
        return tr("%1 + %2 layers \u00D7 %3 heads")
            .arg(config.layers)
            .arg(config.decoderLayerCount())
            .arg(config.heads);
    return config.layers == 1
               ? tr("1 layer \u00D7 %1 heads").arg(config.heads)
               : tr("%1 layers \u00D7 %2 heads").arg(config.layers).arg(config.heads);
}

QString optimizerName(OptimizerKind kind)
{
    switch (kind) {
    case OptimizerKind::AdamW:
        return QStringLiteral("AdamW");
    case OptimizerKind::Adam:
        return QStringLiteral("Adam");
    case OptimizerKind::Sgd:
        return QStringLiteral("SGD");
    }
    return {};
}

/// The range from a tenth to nine tenths of the height around a jump.
ChartJump bandOf(const HeadCurves& heads, const Jump& jump)
{
    ChartJump band{double(jump.step), double(jump.step), {}, {}};
    if (!jump.place)
        return band;
    const std::vector<double> values = heads.curve(jump.curve, *jump.place);
    const std::vector<std::int64_t> steps = heads.steps();
    const auto at = static_cast<std::size_t>(
        std::lower_bound(steps.begin(), steps.end(), jump.step) - steps.begin());
    const auto fraction = [&](std::size_t index) {
        return (values[index] - jump.before) / (jump.after - jump.before);
    };
    std::size_t first = at;
    while (first > 0 && first < values.size() && fraction(first) > 0.1)
        --first;
    std::size_t last = at;
    while (last + 1 < values.size() && fraction(last) < 0.9)
        ++last;
    if (first < steps.size() && last < steps.size())
        band = {double(steps[first]), double(steps[last]), {}, {}};
    return band;
}

} // namespace

QString scoreText(const QString& score)
{
    const ScoreText* words = wordsOf(score);
    return words ? tr(words->words) : score;
}

QString shortScoreText(const QString& score)
{
    const ScoreText* words = wordsOf(score);
    return words ? tr(words->brief) : score;
}

std::vector<ChartJump> jumpsOf(const TrainingRecord& record)
{
    struct Group
    {
        ChartJump band;
        std::vector<const Jump*> jumps;
    };

    std::vector<Group> groups;
    for (const Jump& jump : record.jumps) {
        const ChartJump band = bandOf(record.heads, jump);
        if (!groups.empty() && band.from <= groups.back().band.to) {
            groups.back().band.from = std::min(groups.back().band.from, band.from);
            groups.back().band.to = std::max(groups.back().band.to, band.to);
            groups.back().jumps.push_back(&jump);
        } else {
            groups.push_back({band, {&jump}});
        }
    }
    std::vector<ChartJump> bands;
    for (const Group& group : groups) {
        const Jump& highest = **std::max_element(
            group.jumps.begin(), group.jumps.end(), [](const Jump* a, const Jump* b) {
                return a->after - a->before < b->after - b->before;
            });
        ChartJump band = group.band;
        band.at = static_cast<double>(group.jumps.front()->step);
        band.title = tr("Jump at step %1").arg(count(group.jumps.front()->step));
        const QString what = scoreText(QString::fromStdString(highest.curve)).toLower();
        const QString where =
            highest.place
                ? QStringLiteral("%1.%2").arg(highest.place->layer).arg(highest.place->head)
                : QString();
        band.text = tr("%1 of head %2: %3 to %4")
                        .arg(what, where, number(highest.before, 2), number(highest.after, 2));
        if (group.jumps.size() > 1)
            band.text += tr(", and %1 more").arg(group.jumps.size() - 1);
        bands.push_back(std::move(band));
    }
    return bands;
}

std::optional<LevelReached> inductionOf(const TrainingRecord& record)
{
    return findLevel(record.heads, "induction", kInductionLevel);
}

QString inductionText(const TrainingRecord& record)
{
    const auto reached = inductionOf(record);
    if (!reached)
        return {};
    return tr("Induction passed %1 at step %2 (head %3)")
        .arg(number(kInductionLevel, 1), count(reached->step), headName(reached->place));
}

HeadTilesContent tilesOf(const TrainContent& trainContent)
{
    HeadTilesContent content;
    if (!trainContent.view.trace())
        return content;
    content.grid = gridContent(trainContent.view);
    content.grid.order.clear();
    const QString score = scoreInUse(trainContent);
    const HeadScorePoint* measured = scoresAt(trainContent);
    const AttentionKind part = trainContent.view.selection.part;
    content.notes.resize(content.grid.thumbnails.size());
    for (std::size_t index = 0; measured && index < measured->places.size(); ++index) {
        const HeadId& place = measured->places[index];
        const auto at = static_cast<std::size_t>(place.layer * content.grid.heads + place.head);
        const double value = measured->value(score.toStdString(), place);
        if (place.attention == part && at < content.notes.size() && std::isfinite(value))
            content.notes[at] = shortScoreText(score) + QLatin1Char(' ') + number(value, 2);
    }
    if (trainContent.options.lower == TrainOptions::Lower::Scores) {
        for (const LineChartCurve& curve : lowerChart(trainContent).curves) {
            const QStringList numbers = curve.ending.split(QLatin1Char('.'));
            if (curve.tone == LineChartCurve::Tone::Head && numbers.size() == 2)
                content.grid.pinned[{numbers[0].toInt(), numbers[1].toInt()}] = curve.slot;
        }
    }
    const TokenPair pair = pairOf(trainContent.view);
    const auto queries = static_cast<double>(trainContent.view.trace()->queryTokens(part).size());
    if (pair.query >= 0 && queries > 0) {
        content.queryRow = pair.query / queries;
        content.rowHeight = 1.0 / queries;
    }
    return content;
}

std::vector<TrainReading> readingsOf(const TrainContent& trainContent)
{
    const TrainingRecord& record = trainContent.record;
    std::vector<TrainReading> readings;
    if (const auto loss = valueOf(record.validation, trainContent)) {
        readings.push_back({tr("validation loss"), number(*loss, 3), true});
        readings.push_back({tr("perplexity"), number(std::exp(*loss), 2), false});
    } else if (const auto training = valueOf(record.loss, trainContent)) {
        readings.push_back({tr("training loss"), number(*training, 3), true});
    }
    if (const auto accuracy = valueOf(record.accuracy, trainContent))
        readings.push_back({tr("accuracy"), tr("%1 %").arg(number(100.0 * *accuracy, 1)), false});
    if (const auto rate = valueOf(record.learningRate, trainContent))
        readings.push_back({tr("learning rate"), smallNumber(*rate), false});
    if (record.tokensPerSecond > 0.0)
        readings.push_back({tr("tokens/s"), count(std::llround(record.tokensPerSecond)), false});
    if (record.secondsLeft > 0.0 && record.step < record.steps)
        readings.push_back({tr("left"), durationText(record.secondsLeft), false});
    return readings;
}

QString factsOf(const TrainingRecord& record)
{
    QStringList facts{layersAndHeads(record.model), tr("d %1").arg(record.model.dModel)};
    if (record.model.vocabularySize > 0)
        facts << tr("%1 parameters").arg(count(sizeReport(record.model).total()));
    if (record.isSeries())
        return facts.join(QStringLiteral(" \u00B7 "));
    facts << optimizerName(record.config.optimizer.kind) << tr("seed %1").arg(record.config.seed);
    if (!record.device.empty())
        facts << tr("device %1").arg(messageText(record.device));
    return facts.join(QStringLiteral(" \u00B7 "));
}

QString bytesText(std::uint64_t bytes)
{
    const double size = static_cast<double>(bytes);
    if (size < 1e6)
        return tr("%1 kB").arg(number(size / 1e3, 0));
    if (size < 1e9)
        return tr("%1 MB").arg(number(size / 1e6, size < 1e7 ? 1 : 0));
    return tr("%1 GB").arg(number(size / 1e9, 2));
}

QString durationText(double seconds)
{
    const long long whole = std::llround(std::max(seconds, 0.0));
    const auto two = [](long long value) {
        return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
    };
    const QString rest = two(whole % 60);
    if (whole < 3600)
        return QStringLiteral("%1:%2").arg(whole / 60).arg(rest);
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(two(whole / 60 % 60), rest);
}

QString taskText(const TrainContent& trainContent)
{
    QString text = trainContent.lookFor;
    const QString score = scoreInUse(trainContent);
    const HeadScorePoint* measured = scoresAt(trainContent);
    if (!measured || score.isEmpty())
        return text;
    const HeadId* best = nullptr;
    double highest = -1.0;
    for (const HeadId& place : measured->places) {
        const double value = measured->value(score.toStdString(), place);
        if (std::isfinite(value) && value > highest) {
            highest = value;
            best = &place;
        }
    }
    if (!best)
        return text;
    const QString now = tr("At step %1 head %2 has the highest %3: %4.")
                            .arg(count(measured->step))
                            .arg(QStringLiteral("%1.%2").arg(best->layer).arg(best->head))
                            .arg(scoreText(score).toLower(), number(highest, 2));
    return text.isEmpty() ? now : text + QLatin1Char(' ') + now;
}

} // namespace headscope::ui
