#include "ui/pages/lens/lens_content.h"

#include "ui/pages/shared/maps/shown_pattern.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Lens", text);
}

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

const QStringList kMeasureNames = {"token",           "probability", "rank",
                                   "log-probability", "entropy",     "kl"};
const QStringList kTargetNames = {"following", "answer", "chosen"};

bool belongs(const TracePtr& trace, const LoadedModel& model)
{
    return trace && model.model && trace->info().model == model.name;
}

QString textOf(const LensPicture& picture, HeatmapCell cell)
{
    const StreamLens& lens = picture.lens();
    const double value = picture.valueAt(cell);
    if (picture.choice.measure == LensMeasure::Token)
        return std::isnan(value) ? QStringLiteral("\u2013")
                                 : lensLabel(lens.ids[lens.topAt(cell.row, cell.column)],
                                             picture.looking.model());
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    if (picture.choice.measure == LensMeasure::Rank)
        return picture.isDifference() ? signedNumber(value, 0)
                                      : count(static_cast<long long>(value));
    const int decimals = picture.choice.measure == LensMeasure::Probability ? 3 : 2;
    return picture.isDifference() ? signedNumber(value, decimals) : number(value, decimals);
}

/// Value that sets the colour: ranks on a log scale, rank 1 dark.
float shadeOf(const LensPicture& picture, HeatmapCell cell)
{
    if (picture.choice.measure != LensMeasure::Rank)
        return static_cast<float>(picture.valueAt(cell));
    const auto logRank = [&](const StreamLens& lens) {
        const double rank = picture.valueAt(lens, cell);
        return std::isnan(rank) ? kUndefined : std::log(rank);
    };
    const double own = logRank(picture.lens());
    return static_cast<float>(picture.isDifference() ? own - logRank(picture.reading.a) : -own);
}

std::vector<float> shadesOf(const LensPicture& picture)
{
    std::vector<float> shades;
    for (int row = 0; row < picture.lens().rows(); ++row)
        for (int stage = 0; stage < picture.lens().stageCount(); ++stage)
            shades.push_back(shadeOf(picture, {row, stage}));
    return shades;
}

double vocabularyOf(const LensPicture& picture)
{
    const auto& model = picture.looking.model().model;
    return model ? static_cast<double>(model->config().vocabularySize) : 2.0;
}

bool isShare(LensMeasure measure)
{
    return measure == LensMeasure::Token || measure == LensMeasure::Probability;
}

ColourScale scaleOf(const LensPicture& picture, const std::vector<float>& shades)
{
    float low = 0.0F;
    float high = 0.0F;
    for (const float shade : shades)
        if (std::isfinite(shade)) {
            low = std::min(low, shade);
            high = std::max(high, shade);
        }
    const LensMeasure measure = picture.choice.measure;
    if (picture.isDifference())
        return ColourScale::difference(isShare(measure) ? 1.0F : std::max({high, -low, 1e-3F}));
    const MapName map = picture.looking.colourMap;
    const auto most = static_cast<float>(std::log(vocabularyOf(picture)));
    switch (measure) {
    case LensMeasure::Rank:
        return {map, -most, 0.0F, 1.0};
    case LensMeasure::LogProbability:
        return {map, std::min(low, -1e-3F), 0.0F, 1.0};
    case LensMeasure::Entropy:
        return {map, 0.0F, most, 1.0};
    case LensMeasure::Divergence:
        return {map, 0.0F, std::max(high, 1e-3F), 1.0};
    default:
        return {map, 0.0F, 1.0F, 1.0};
    }
}

QString wordsOf(const LensPicture& picture, const QString& token, HeatmapCell cell)
{
    const StreamLens& lens = picture.lens();
    const QString place =
        tr("token %1, %2")
            .arg(token, stageName(lens.stages[static_cast<std::size_t>(cell.column)]));
    const double value = picture.valueAt(cell);
    if (std::isnan(value))
        return tr("%1: not defined").arg(place);
    if (picture.choice.measure != LensMeasure::Token)
        return tr("%1: %2 %3")
            .arg(place, measureTitle(picture.choice.measure).toLower(), textOf(picture, cell));
    return picture.isDifference() ? tr("%1: predicts %2, probability changed by %3")
                                        .arg(place, textOf(picture, cell), signedNumber(value, 3))
                                  : tr("%1: predicts %2, probability %3")
                                        .arg(place, textOf(picture, cell), number(value, 3));
}

} // namespace

QString lensLabel(TokenId id, const LoadedModel& model)
{
    const bool isNamed = model.tokenizer && id >= 0 &&
                         static_cast<std::size_t>(id) < model.tokenizer->vocabularySize();
    return isNamed ? labelOf(id, model) : QStringLiteral("#%1").arg(id);
}

QString measureTitle(LensMeasure measure)
{
    switch (measure) {
    case LensMeasure::Token:
        return tr("Token");
    case LensMeasure::Probability:
        return tr("Probability");
    case LensMeasure::Rank:
        return tr("Rank");
    case LensMeasure::LogProbability:
        return tr("Log-probability");
    case LensMeasure::Entropy:
        return tr("Entropy");
    default:
        return tr("KL");
    }
}

QString measureMeaning(LensMeasure measure)
{
    switch (measure) {
    case LensMeasure::Token:
        return tr("The top-1 token, shaded by its probability");
    case LensMeasure::Probability:
        return tr("Probability of the target");
    case LensMeasure::Rank:
        return tr("Rank of the target; 1 is the most likely token");
    case LensMeasure::LogProbability:
        return tr("Natural logarithm of the target's probability, in nats");
    case LensMeasure::Entropy:
        return tr("Entropy of the lens prediction in nats; 0 is certain");
    default:
        return tr("KL divergence between the lens prediction and the model's output, in nats");
    }
}

LensChoice LensChoice::fromJson(const QJsonObject& json)
{
    LensChoice choice;
    if (const auto measure = kMeasureNames.indexOf(json["measure"].toString()); measure >= 0)
        choice.measure = static_cast<LensMeasure>(measure);
    if (const auto target = kTargetNames.indexOf(json["target"].toString()); target >= 0)
        choice.target.kind = static_cast<LensTarget::Kind>(target);
    choice.target.id = std::max(json["token"].toInt(), 0);
    choice.halfSteps = json["half-steps"].toBool();
    choice.tuned = json["lens"].toString() == QLatin1String("tuned");
    choice.steps = std::clamp(json["steps"].toInt(choice.steps), 1, 100'000);
    choice.stage = std::max(json["stage"].toInt(-1), -1);
    return choice;
}

QJsonObject LensChoice::toJson() const
{
    QJsonObject json{{"measure", kMeasureNames[static_cast<int>(measure)]},
                     {"target", kTargetNames[static_cast<int>(target.kind)]},
                     {"half-steps", halfSteps},
                     {"lens", tuned ? "tuned" : "logit"},
                     {"steps", steps},
                     {"stage", stage}};
    if (target.kind == LensTarget::Kind::Chosen)
        json["token"] = target.id;
    return json;
}

LensJob lensJob(const Looking& looking, const LensChoice& choice, TunedLensPtr tuned)
{
    LensJob job;
    if (belongs(looking.a, looking.modelA)) {
        job.modelA = looking.modelA.model;
        job.a = looking.a;
    }
    if (belongs(looking.b, looking.modelB)) {
        job.modelB = looking.modelB.model;
        job.b = looking.b;
    }
    job.halfSteps = choice.halfSteps;
    job.target = choice.target;
    if (choice.tuned)
        job.tuned = std::move(tuned);
    return job;
}

bool LensPicture::isDifference() const
{
    return looking.shown == Variant::Difference && noDifferenceWords(reading).isEmpty();
}

const StreamLens& LensPicture::lens() const
{
    return reading.of(looking.shown != Variant::A);
}

double LensPicture::valueAt(const StreamLens& of, HeatmapCell cell) const
{
    const std::size_t index = of.at(cell.row, cell.column);
    switch (choice.measure) {
    case LensMeasure::Token:
        return double{of.probabilities[of.topAt(cell.row, cell.column)]};
    case LensMeasure::Probability:
        return std::exp(of.logProbabilities[index]); // NaN is preserved.
    case LensMeasure::Rank:
        return of.ranks[index] > 0 ? static_cast<double>(of.ranks[index]) : kUndefined;
    case LensMeasure::LogProbability:
        return of.logProbabilities[index];
    case LensMeasure::Entropy:
        return of.entropies[index];
    default:
        return of.divergences[index];
    }
}

double LensPicture::valueAt(HeatmapCell cell) const
{
    const double own = valueAt(lens(), cell);
    return isDifference() ? own - valueAt(reading.a, cell) : own;
}

bool LensPicture::differs(HeatmapCell cell) const
{
    if (looking.shown == Variant::A || !noDifferenceWords(reading).isEmpty())
        return false;
    return reading.a.ids[reading.a.topAt(cell.row, cell.column)] !=
           reading.b.ids[reading.b.topAt(cell.row, cell.column)];
}

QString noDifferenceWords(const LensReading& reading)
{
    if (reading.b.rows() == 0)
        return tr("B has no tuned lens of its own");
    return reading.a.rows() == reading.b.rows() && reading.a.stages == reading.b.stages
               ? QString()
               : tr("A and B have different numbers of tokens or layers");
}

QString stageName(const LensStage& stage)
{
    switch (stage.kind) {
    case LensStage::Kind::Embeddings:
        return tr("at the embeddings");
    case LensStage::Kind::AfterAttention:
        return tr("after attention of layer %1").arg(stage.key.layer);
    case LensStage::Kind::AfterCross:
        return tr("after cross-attention of layer %1").arg(stage.key.layer);
    default:
        return tr("after layer %1").arg(stage.key.layer);
    }
}

QString stageLabel(const LensStage& stage)
{
    switch (stage.kind) {
    case LensStage::Kind::Embeddings:
        return tr("emb.");
    case LensStage::Kind::AfterAttention:
        return tr("%1 att.").arg(stage.key.layer);
    case LensStage::Kind::AfterCross:
        return tr("%1 cross").arg(stage.key.layer);
    default:
        return QString::number(stage.key.layer);
    }
}

LensContent lensGridContent(const LensPicture& picture)
{
    LensContent content;
    const StreamLens& lens = picture.lens();
    const TracePtr& trace = picture.looking.trace();
    if (!trace || lens.rows() == 0)
        return content;
    content.rowLabels = labelsOf(trace->tokens(), picture.looking.model());
    for (const LensStage& stage : lens.stages)
        content.columnLabels << stageLabel(stage);
    content.values = shadesOf(picture);
    content.scale = scaleOf(picture, content.values);
    for (int row = 0; row < lens.rows(); ++row) {
        for (int stage = 0; stage < lens.stageCount(); ++stage) {
            const HeatmapCell cell{row, stage};
            content.texts << textOf(picture, cell);
            content.words << wordsOf(picture, content.rowLabels.value(row), cell);
            content.marked.push_back(picture.differs(cell));
        }
    }
    return content;
}

ColourBarContent lensLegend(const LensPicture& picture)
{
    ColourBarContent legend;
    legend.scale = scaleOf(picture, shadesOf(picture));
    const LensMeasure measure = picture.choice.measure;
    const QString what =
        measure == LensMeasure::Token ? tr("Probability of the token") : measureTitle(measure);
    if (picture.isDifference()) {
        legend.title = measure == LensMeasure::Rank
                           ? tr("B\u2212A of the rank, shaded by its logarithm")
                           : tr("B\u2212A: %1").arg(what.toLower());
        const double range = double{legend.scale.high};
        if (measure == LensMeasure::Rank)
            legend.ticks = {QStringLiteral("\u00F7 ") + number(std::exp(range), 0),
                            QStringLiteral("0"),
                            QStringLiteral("\u00D7 ") + number(std::exp(range), 0)};
        return legend;
    }
    legend.title = isShare(measure) ? tr("%1, fixed scale 0 to 1").arg(what)
                                    : tr("%1: %2").arg(what, measureMeaning(measure).toLower());
    switch (measure) {
    case LensMeasure::Rank:
        legend.title = tr("Rank of the target, dark: 1");
        legend.ticks = {count(static_cast<long long>(vocabularyOf(picture))),
                        count(std::llround(std::sqrt(vocabularyOf(picture)))), QStringLiteral("1")};
        break;
    case LensMeasure::LogProbability:
        legend.title = tr("ln p of the target, from the smallest here");
        legend.warn = true;
        break;
    case LensMeasure::Entropy:
        legend.title = tr("Entropy in nats, up to ln of the vocabulary");
        break;
    case LensMeasure::Divergence:
        legend.title = tr("KL in nats, up to the largest here");
        legend.warn = true;
        break;
    default:
        break;
    }
    return legend;
}

} // namespace headscope::ui
