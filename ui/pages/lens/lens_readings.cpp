#include "ui/pages/lens/lens_readings.h"

#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

/// Number of layers passed; half-steps are the stages in between.
double placeOf(const LensStage& stage)
{
    switch (stage.kind) {
    case LensStage::Kind::Embeddings:
        return 0.0;
    case LensStage::Kind::AfterAttention:
        return stage.key.layer + 0.5;
    case LensStage::Kind::AfterCross:
        return stage.key.layer + 0.75;
    default:
        return stage.key.layer + 1.0;
    }
}

using Reader = double (*)(const StreamLens& lens, std::size_t cell);

std::vector<QPointF> pointsOf(const StreamLens& lens, int row, Reader read)
{
    std::vector<QPointF> points;
    for (int stage = 0; stage < lens.stageCount(); ++stage)
        points.emplace_back(placeOf(lens.stages[static_cast<std::size_t>(stage)]),
                            read(lens, lens.at(row, stage)));
    return points;
}

/// Curve of the shown variant, or of B−A.
void addCurves(LineChartContent& chart, const LensReadout& readout, int row, const QString& name,
               Reader read, LineChartCurve::Tone tone)
{
    LineChartCurve curve;
    curve.name = readout.isDifference() ? tr("%1, B").arg(name) : name;
    curve.tone = tone;
    curve.points = pointsOf(readout.lens(), row, read);
    if (readout.isDifference()) {
        LineChartCurve before = curve;
        before.name = tr("%1, A").arg(name);
        before.dashed = true;
        before.points = pointsOf(readout.reading().a, row, read);
        chart.curves.push_back(std::move(before));
    }
    chart.curves.push_back(std::move(curve));
}

LineChartContent emptyChart(const QString& title, const LensReadout& readout)
{
    LineChartContent chart;
    chart.title = title;
    chart.unit = tr("layers passed:");
    chart.unitBelow = tr("layers passed, 0: embeddings");
    chart.numbersBelow = true;
    chart.rightRoom = readout.isDifference() ? 108.0 : 92.0;
    const StreamLens& lens = readout.lens();
    const double last = lens.stages.empty() ? 1.0 : placeOf(lens.stages.back());
    chart.x = {.high = std::max(last, 1.0), .whole = true};
    if (readout.choice.halfSteps)
        chart.unitDecimals = 2;
    return chart;
}

double probabilityAt(const StreamLens& lens, std::size_t cell)
{
    return std::exp(lens.logProbabilities[cell]);
}

double rankAt(const StreamLens& lens, std::size_t cell)
{
    return lens.ranks[cell] > 0 ? static_cast<double>(lens.ranks[cell])
                                : std::numeric_limits<double>::quiet_NaN();
}

double entropyAt(const StreamLens& lens, std::size_t cell)
{
    return lens.entropies[cell];
}

double divergenceAt(const StreamLens& lens, std::size_t cell)
{
    return lens.divergences[cell];
}

bool hasRow(const LensReadout& readout, int row)
{
    return row >= 0 && row < readout.lens().rows();
}

QString targetName(const LensReadout& readout, int row)
{
    const auto target = readout.lens().targets[static_cast<std::size_t>(row)];
    return target ? lensLabel(*target, readout.view.model()) : QString();
}

/// At the end of the text, the target is the model's own prediction.
bool isAnswer(const LensReadout& readout, int row)
{
    const auto& model = readout.view.model().model;
    return readout.choice.target.kind == LensTarget::Kind::Following && model &&
           model->config().hasDecoder() && row + 1 == readout.lens().rows();
}

QString numberText(double value, int decimals)
{
    return std::isnan(value) ? tr("not defined") : number(value, decimals);
}

} // namespace

std::vector<Bar> lensBars(const LensReadout& readout, HeatmapCell cell)
{
    std::vector<Bar> bars;
    const StreamLens& lens = readout.lens();
    if (!hasRow(readout, cell.row) || cell.column < 0 || cell.column >= lens.stageCount())
        return bars;
    const auto target = lens.targets[static_cast<std::size_t>(cell.row)];
    for (int place = 0; place < lens.top; ++place) {
        const std::size_t at = lens.topAt(cell.row, cell.column, place);
        if (std::isnan(lens.probabilities[at]))
            break;
        Bar bar;
        bar.label = lensLabel(lens.ids[at], readout.view.model());
        bar.value = double{lens.probabilities[at]};
        bar.subject = target == lens.ids[at];
        bar.role = bar.subject ? Role::Accent : Role::Plain;
        bars.push_back(std::move(bar));
    }
    return bars;
}

QString cellText(const LensReadout& readout, HeatmapCell cell)
{
    const StreamLens& lens = readout.lens();
    if (!hasRow(readout, cell.row) || cell.column < 0 || cell.column >= lens.stageCount())
        return {};
    const std::size_t index = lens.at(cell.row, cell.column);
    const QString target = targetName(readout, cell.row);
    QStringList lines;
    if (target.isEmpty())
        lines << tr("Target: not defined, this model has no such token.");
    else
        lines << (isAnswer(readout, cell.row)
                      ? tr("\u201C%1\u201D, the model's prediction: rank %2, probability %3, ln "
                           "p %4")
                      : tr("Target \u201C%1\u201D: rank %2, probability %3, ln p %4"))
                     .arg(target,
                          lens.ranks[index] > 0 ? count(lens.ranks[index]) : tr("not defined"),
                          numberText(std::exp(lens.logProbabilities[index]), 3),
                          numberText(lens.logProbabilities[index], 2));
    lines << tr("Entropy %1, KL from the model %2 nats")
                 .arg(numberText(lens.entropies[index], 2), numberText(lens.divergences[index], 2));
    return lines.join(QLatin1Char('\n'));
}

LineChartContent probabilityChart(const LensReadout& readout, int row)
{
    LineChartContent chart = emptyChart(tr("Probability of the target"), readout);
    chart.y = {0.0, 1.0, false};
    if (!hasRow(readout, row))
        return chart;
    const QString target = targetName(readout, row);
    if (target.isEmpty()) {
        chart.note = tr("not defined");
        return chart;
    }
    addCurves(chart, readout, row, target, probabilityAt, LineChartCurve::Tone::Subject);
    return chart;
}

LineChartContent rankChart(const LensReadout& readout, int row)
{
    LineChartContent chart = emptyChart(tr("Rank of the target"), readout);
    chart.decimals = 0;
    chart.y = {1.0, 10.0, true};
    if (!hasRow(readout, row))
        return chart;
    const QString target = targetName(readout, row);
    if (target.isEmpty()) {
        chart.note = tr("not defined");
        return chart;
    }
    addCurves(chart, readout, row, target, rankAt, LineChartCurve::Tone::Subject);
    const auto& model = readout.view.model().model;
    chart.y.high =
        model ? std::max(static_cast<double>(model->config().vocabularySize), 2.0) : 10.0;
    return chart;
}

LineChartContent entropyChart(const LensReadout& readout, int row)
{
    LineChartContent chart = emptyChart(tr("Entropy and KL, nats"), readout);
    if (!hasRow(readout, row))
        return chart;
    addCurves(chart, readout, row, tr("entropy"), entropyAt, LineChartCurve::Tone::Plain);
    addCurves(chart, readout, row, tr("KL"), divergenceAt, LineChartCurve::Tone::Subject);
    chart.y = axisOf(chart.curves, false);
    chart.y.low = 0.0;
    return chart;
}

MaybeNumber lensCellNumber(const LensReadout& readout, HeatmapCell cell, QString* why)
{
    const StreamLens& lens = readout.lens();
    if (!hasRow(readout, cell.row) || cell.column < 0 || cell.column >= lens.stageCount())
        return std::nullopt;
    const LensMeasure measure = readout.choice.measure;
    if (readout.choice.tuned)
        *why = tr("A tuned lens adds a trained map before the unembedding. Choose the logit "
                  "lens to trace a number.");
    else if (measure != LensMeasure::Token && measure != LensMeasure::Probability)
        *why = tr("Ranks, logarithms, entropy and KL depend on the whole vocabulary. Choose "
                  "\u201CToken\u201D or \u201CProbability\u201D to trace a number.");
    const auto target = lens.targets[static_cast<std::size_t>(cell.row)];
    if (measure == LensMeasure::Probability && !target)
        *why = tr("This model has no such token, so its probability is not defined.");
    if (!why->isEmpty())
        return std::nullopt;
    const TokenId id =
        measure == LensMeasure::Token ? lens.ids[lens.topAt(cell.row, cell.column)] : *target;
    NumberRef number = cellNumber(lens.stages[static_cast<std::size_t>(cell.column)].key,
                                  {lens.positions[static_cast<std::size_t>(cell.row)], id});
    number.kind = NumberRef::Kind::Probability;
    return ShownNumber{std::move(number),
                       readout.view.shown == Variant::A ? Variant::A : Variant::B};
}

} // namespace headscope::ui
