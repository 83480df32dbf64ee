#include "ui/pages/causal/fact_path_content.h"

#include "ui/pages/causal/patch_content.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

QString quoted(const QString& token)
{
    return QStringLiteral("\u201C%1\u201D").arg(token);
}

QString tokenAt(const ViewSnapshot& view, int position)
{
    const QStringList tokens = labelsOf(view.a->tokens(), view.modelA);
    return tr("%1 (token %2)").arg(quoted(tokens.value(position))).arg(position);
}

QString answerText(const ViewSnapshot& view, const FactPath& path)
{
    const auto reported = [&](const FactAnswer& answer) {
        return tr("%1 (%2)").arg(quoted(labelOf(answer.top, view.modelA)),
                                 number(answer.topProbability, 3));
    };
    return tr("On the clean text the model predicts %1, on the corrupted one %2. The answer %3 "
              "changes from %4 (rank %5) to %6 (rank %7). The metric falls from %8 to %9.")
        .arg(reported(path.cleanAnswer), reported(path.corruptedAnswer),
             quoted(labelOf(path.cleanAnswer.answer, view.modelA)),
             number(path.cleanAnswer.answerProbability, 3),
             QString::number(path.cleanAnswer.answerRank),
             number(path.corruptedAnswer.answerProbability, 3),
             QString::number(path.corruptedAnswer.answerRank), number(path.clean, 2),
             number(path.corrupted, 2));
}

QString positionText(const ViewSnapshot& view, const FactPosition& place)
{
    const QString restored = number(place.restored, 2);
    if (place.head < 0)
        return tr("layer %1 at %2 restores %3")
            .arg(QString::number(place.layer), tokenAt(view, place.position), restored);
    QString words = tr("head %1.%2 restores %3").arg(place.layer).arg(place.head).arg(restored);
    if (place.attendsTo >= 0)
        words += tr(" and attends to %1 with weight %2")
                     .arg(tokenAt(view, place.attendsTo), number(place.weight, 2));
    return words;
}

QString listed(const ViewSnapshot& view, const FactStep& step)
{
    QStringList words;
    for (const FactPosition& place : step.places)
        words << positionText(view, place);
    return words.join(QStringLiteral("; ")) + QLatin1Char('.');
}

QString intro(FactStep::Kind kind)
{
    switch (kind) {
    case FactStep::Kind::Tokens:
        return tr(
            "The clean residual stream is patched in at one token of an early layer. Where the "
            "fact enters, the answer is restored:");
    case FactStep::Kind::MlpLayers:
        return tr("The same with the output of one feed-forward network:");
    case FactStep::Kind::AttnLayers:
        return tr("The same with the output of one attention layer:");
    default:
        return tr(
            "The same with single heads. Those that move the fact to the end attend to it from "
            "the last token:");
    }
}

QString lensSummary(const FactPath& path, const FactStep& step)
{
    QStringList fractions;
    for (const FactPosition& place : step.places)
        fractions << number(place.restored, 3);
    const QString list = fractions.join(QStringLiteral(", "));
    if (path.topFrom < 0)
        return tr("Read with the final norm and the unembedding (logit lens), no layer keeps "
                  "the answer at rank 1. Its probability, layer by layer: %1.")
            .arg(list);
    return tr("Read with the final norm and the unembedding (logit lens), the answer is at rank "
              "1 after layer %1 and all later ones. Its probability, layer by layer: %2.")
        .arg(path.topFrom)
        .arg(list);
}

MarkedMap probabilities(std::vector<float> values, const QStringList& rows,
                        const QStringList& columns)
{
    MarkedMap shown;
    shown.map.matrix = HeatmapMatrix::copyOf(std::move(values), static_cast<int>(rows.size()),
                                             static_cast<int>(columns.size()));
    shown.map.rowLabels = rows;
    shown.map.columnLabels = columns;
    shown.map.valueName = tr("probability");
    shown.legend.scale = shown.map.scale;
    shown.legend.title = scaleTitle(tr("Probability"), shown.map.scale, false);
    return shown;
}

MarkedMap answerMap(const ViewSnapshot& view, const FactPath& path)
{
    const QStringList columns{labelOf(path.cleanAnswer.answer, view.modelA)};
    std::vector<float> values{static_cast<float>(path.cleanAnswer.answerProbability),
                              static_cast<float>(path.corruptedAnswer.answerProbability)};
    MarkedMap shown = probabilities(std::move(values), {tr("clean"), tr("corrupted")}, columns);
    shown.map.rowsName = tr("text");
    shown.map.columnsName = tr("answer");
    return shown;
}

MarkedMap lensMap(const ViewSnapshot& view, const FactPath& path, const FactStep& step)
{
    std::vector<float> values;
    for (const FactPosition& place : step.places)
        values.push_back(static_cast<float>(place.restored));
    const int layers = static_cast<int>(values.size());
    MarkedMap shown = probabilities(std::move(values), numberLabels(layers),
                                    {labelOf(path.cleanAnswer.answer, view.modelA)});
    shown.map.rowsName = tr("layer");
    shown.map.columnsName = tr("answer");
    return shown;
}

void mark(MarkedMap& shown, const FactStep& step)
{
    const HeatmapMatrix& matrix = shown.map.matrix;
    shown.marks.assign(
        static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns), false);
    for (const FactPosition& place : step.places) {
        const HeatmapCell cell{place.layer, place.head >= 0 ? place.head : place.position};
        if (matrix.contains(cell))
            shown.marks[static_cast<std::size_t>(cell.row * matrix.columns + cell.column)] = true;
    }
}

} // namespace

int stepCount(const FactPath& path)
{
    return static_cast<int>(path.steps.size());
}

QStringList stepTitles(const FactPath& path)
{
    const QString titles[] = {tr("The answer"), tr("Tokens"), tr("Feed-forward"),
                              tr("Attention"),  tr("Heads"),  tr("Layer by layer")};
    QStringList result;
    for (const FactStep& step : path.steps)
        result << titles[static_cast<int>(step.kind)];
    return result;
}

StepContent stepContent(const ViewSnapshot& view, const FactPath& path, int index)
{
    StepContent content;
    if (index < 0 || index >= stepCount(path))
        return content;
    const FactStep& step = path.steps[static_cast<std::size_t>(index)];
    content.title = stepTitles(path)[index];
    if (step.kind == FactStep::Kind::Answer) {
        content.words = answerText(view, path);
        content.shown = answerMap(view, path);
        return content;
    }
    if (step.kind == FactStep::Kind::Lens) {
        content.words = lensSummary(path, step);
        content.shown = lensMap(view, path, step);
        return content;
    }
    const PatchGrid* grid = step.shows ? path.grid(*step.shows) : nullptr;
    if (grid == nullptr)
        return content;
    content.shown = patchMap(view, *grid);
    if (step.places.empty()) {
        content.words = tr("Not defined: both texts give the same metric, so there is nothing "
                           "to restore.");
        return content;
    }
    const bool little = step.places.front().restored < 0.1;
    content.words = intro(step.kind) + QLatin1Char(' ') + listed(view, step);
    if (little)
        content.words += QLatin1Char(' ') + tr("No single patch restores a tenth.");
    mark(content.shown, step);
    return content;
}

} // namespace headscope::ui
