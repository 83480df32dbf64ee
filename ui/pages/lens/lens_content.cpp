#include "ui/pages/lens/lens_content.h"

#include "core/analysis/scores/undefined.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

const QStringList kMeasureNames = {"token",           "probability", "rank",
                                   "log-probability", "entropy",     "kl"};
const QStringList kTargetNames = {"following", "answer", "chosen"};

bool belongs(const TracePtr& trace, const LoadedModel& model)
{
    return trace && model.model && trace->info().model == model.name;
}

QString textOf(const LensReadout& readout, HeatmapCell cell)
{
    const StreamLens& lens = readout.lens();
    const double value = readout.valueAt(cell);
    if (readout.choice.measure == LensMeasure::Token)
        return std::isnan(value)
                   ? QStringLiteral("\u2013")
                   : lensLabel(lens.ids[lens.topAt(cell.row, cell.column)], readout.view.model());
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    if (readout.choice.measure == LensMeasure::Rank)
        return readout.isDifference() ? signedNumber(value, 0)
                                      : count(static_cast<long long>(value));
    const int decimals = readout.choice.measure == LensMeasure::Probability ? 3 : 2;
    return readout.isDifference() ? signedNumber(value, decimals) : number(value, decimals);
}

/// Value that sets the colour: ranks on a log scale, rank 1 dark.
float shadeOf(const LensReadout& readout, HeatmapCell cell)
{
    if (readout.choice.measure != LensMeasure::Rank)
        return static_cast<float>(readout.valueAt(cell));
    const auto logRank = [&](const StreamLens& lens) {
        const double rank = readout.valueAt(lens, cell);
        return std::isnan(rank) ? kUndefined : std::log(rank);
    };
    const double own = logRank(readout.lens());
    return static_cast<float>(readout.isDifference() ? own - logRank(readout.reading().a) : -own);
}

std::vector<float> shadesOf(const LensReadout& readout)
{
    std::vector<float> shades;
    for (int row = 0; row < readout.lens().rows(); ++row)
        for (int stage = 0; stage < readout.lens().stageCount(); ++stage)
            shades.push_back(shadeOf(readout, {row, stage}));
    return shades;
}

double vocabularyOf(const LensReadout& readout)
{
    const auto& model = readout.view.model().model;
    return model ? static_cast<double>(model->config().vocabularySize) : 2.0;
}

bool isFraction(LensMeasure measure)
{
    return measure == LensMeasure::Token || measure == LensMeasure::Probability;
}

ColourScale scaleOf(const LensReadout& readout, const std::vector<float>& shades)
{
    float low = 0.0F;
    float high = 0.0F;
    for (const float shade : shades)
        if (std::isfinite(shade)) {
            low = std::min(low, shade);
            high = std::max(high, shade);
        }
    const LensMeasure measure = readout.choice.measure;
    if (readout.isDifference())
        return ColourScale::difference(isFraction(measure) ? 1.0F : std::max({high, -low, 1e-3F}));
    const MapName map = readout.view.colourMap;
    const auto most = static_cast<float>(std::log(vocabularyOf(readout)));
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

QString wordsOf(const LensReadout& readout, const QString& token, HeatmapCell cell)
{
    const StreamLens& lens = readout.lens();
    const QString place =
        tr("token %1, %2")
            .arg(token, stageName(lens.stages[static_cast<std::size_t>(cell.column)]));
    const double value = readout.valueAt(cell);
    if (std::isnan(value))
        return tr("%1: not defined").arg(place);
    if (readout.choice.measure != LensMeasure::Token)
        return tr("%1: %2 %3")
            .arg(place, measureTitle(readout.choice.measure).toLower(), textOf(readout, cell));
    return readout.isDifference() ? tr("%1: predicts %2, probability changed by %3")
                                        .arg(place, textOf(readout, cell), signedNumber(value, 3))
                                  : tr("%1: predicts %2, probability %3")
                                        .arg(place, textOf(readout, cell), number(value, 3));
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

LensJob lensJob(const ViewSnapshot& view, const LensChoice& choice, TunedLensPtr tuned)
{
    LensJob job;
    if (belongs(view.a, view.modelA)) {
        job.modelA = view.modelA.model;
        job.a = view.a;
    }
    if (belongs(view.b, view.modelB)) {
        job.modelB = view.modelB.model;
        job.b = view.b;
    }
    job.halfSteps = choice.halfSteps;
    job.target = choice.target;
    if (choice.tuned)
        job.tuned = std::move(tuned);
    return job;
}

bool LensReadout::isDifference() const
{
    return view.shown == Variant::Difference && whyNoDifference(reading()).isEmpty();
}

const StreamLens& LensReadout::lens() const
{
    return reading().of(view.shown != Variant::A);
}

double LensReadout::valueAt(const StreamLens& of, HeatmapCell cell) const
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

double LensReadout::valueAt(HeatmapCell cell) const
{
    const double own = valueAt(lens(), cell);
    return isDifference() ? own - valueAt(reading().a, cell) : own;
}

bool LensReadout::differs(HeatmapCell cell) const
{
    if (view.shown == Variant::A || !whyNoDifference(reading()).isEmpty())
        return false;
    const StreamLens& a = reading().a;
    const StreamLens& b = reading().b;
    return a.ids[a.topAt(cell.row, cell.column)] != b.ids[b.topAt(cell.row, cell.column)];
}

QString whyNoDifference(const LensReading& reading)
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

LensContent lensGridContent(const LensReadout& readout)
{
    LensContent content;
    const StreamLens& lens = readout.lens();
    const TracePtr& trace = readout.view.trace();
    if (!trace || lens.rows() == 0)
        return content;
    content.rowLabels = labelsOf(trace->tokens(), readout.view.model());
    const bool folds = readout.view.display.foldTemplate;
    for (const Token& token : trace->tokens().tokens) {
        content.rowTurns.push_back(token.turn);
        content.foldedRows.push_back(folds && token.turn == kTemplateTurn);
    }
    for (const LensStage& stage : lens.stages)
        content.columnLabels << stageLabel(stage);
    content.values = shadesOf(readout);
    content.scale = scaleOf(readout, content.values);
    for (int row = 0; row < lens.rows(); ++row) {
        for (int stage = 0; stage < lens.stageCount(); ++stage) {
            content.marked.push_back(readout.differs({row, stage}));
        }
    }
    content.textOf = [readout](HeatmapCell cell) { return textOf(readout, cell); };
    content.wordsOf = [readout, labels = content.rowLabels](HeatmapCell cell) {
        return wordsOf(readout, labels.value(cell.row), cell);
    };
    return content;
}

ColourBarContent lensLegend(const LensReadout& readout)
{
    ColourBarContent legend;
    legend.scale = scaleOf(readout, shadesOf(readout));
    const LensMeasure measure = readout.choice.measure;
    const QString what =
        measure == LensMeasure::Token ? tr("Probability of the token") : measureTitle(measure);
    if (readout.isDifference()) {
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
    legend.title = isFraction(measure) ? tr("%1, fixed scale 0 to 1").arg(what)
                                       : tr("%1: %2").arg(what, measureMeaning(measure).toLower());
    switch (measure) {
    case LensMeasure::Rank:
        legend.title = tr("Rank of the target, dark: 1");
        legend.ticks = {count(static_cast<long long>(vocabularyOf(readout))),
                        count(std::llround(std::sqrt(vocabularyOf(readout)))), QStringLiteral("1")};
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
