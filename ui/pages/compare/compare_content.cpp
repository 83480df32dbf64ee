#include "ui/pages/compare/compare_content.h"

#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "ui/pages/compare/difference_content.h"
#include "ui/widgets/tr.h"

#include <QJsonObject>

#include <algorithm>

namespace headscope::ui {

namespace {

/// B, or A while there are no changes.
const TracePtr& second(const ViewSnapshot& view)
{
    return view.b || !view.changes.empty() ? view.b : view.a;
}

bool hasTwoStacks(const ViewSnapshot& view)
{
    return view.modelA.model && view.modelA.model->config().isEncoderDecoder();
}

AttentionKind comparedPart(const ViewSnapshot& view)
{
    return hasTwoStacks(view) ? AttentionKind::DecoderSelf : AttentionKind::Self;
}

StreamLens lensOf(const LoadedModel& model, const TracePtr& trace, const std::stop_token& stop)
{
    if (!model.model || !trace || !model.model->config().languageHead)
        return {};
    if (trace->info().model != model.name) // Another model is loading.
        return {};
    const Stack stack = model.model->config().mainStack();
    for (int layer = 0; layer < layerCount(model.model->config(), stack); ++layer)
        if (!trace->has({Site::ResidPost, layer, stack}))
            return {};
    StreamLensOptions options;
    options.embeddings = options.halfSteps = false;
    options.top = 1;
    return streamLens(*model.model, *trace, options, stop);
}

HeatmapMatrix divergenceOf(const ViewSnapshot& view, const std::vector<AlignedTokens>& lines)
{
    const AttentionKind part = comparedPart(view);
    const Trace& a = *view.a;
    const Trace& b = *second(view);
    const int layers = a.layerCount(part);
    const int heads = a.headCount(part);
    if (layers != b.layerCount(part) || heads != b.headCount(part))
        return {};
    std::vector<float> values(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
    for (int layer = 0; layer < layers; ++layer) {
        const auto ofA = a.find(patternKey(part, layer));
        const auto ofB = b.find(patternKey(part, layer));
        for (int head = 0; ofA && ofB && head < heads; ++head)
            values[static_cast<std::size_t>(head * layers + layer)] =
                static_cast<float>(alignedDivergence(ofA->view()[head], ofB->view()[head], lines));
    }
    return HeatmapMatrix::copyOf(std::move(values), heads, layers);
}

bool seesOnlyEarlier(const Trace& trace, AttentionKind part)
{
    const HeatmapMask mask = maskOf(trace, part);
    return mask.kind == HeatmapMask::Kind::Causal || mask.kind == HeatmapMask::Kind::Window;
}

/// True where a patch can have an effect: deeper layers, at later tokens if each sees only earlier ones.
bool isReached(const CellPatch& patch, bool onlyLater, int token, int layer)
{
    if (patch.key.site != Site::ResidPost || patch.key.stack == Stack::Encoder)
        return false;
    if (layer == patch.key.layer)
        return token == patch.toToken;
    return layer > patch.key.layer && (!onlyLater || token >= patch.toToken);
}

bool differs(const Comparison& comparison, const AlignedTokens& line, int layer)
{
    if (!line.a || !line.b || layer >= comparison.a.stageCount() ||
        layer >= comparison.b.stageCount())
        return false;
    const std::size_t a = comparison.a.at(*line.a, layer);
    const std::size_t b = comparison.b.at(*line.b, layer);
    if (comparison.kind == AlignmentKind::Ids)
        return comparison.a.ids[a] != comparison.b.ids[b];
    return comparison.textsA.value(static_cast<int>(a)) !=
           comparison.textsB.value(static_cast<int>(b));
}

QStringList textsOf(const StreamLens& lens, const LoadedModel& model)
{
    QStringList texts;
    for (const TokenId id : lens.ids)
        texts << labelOf(id, model);
    return texts;
}

bool haveSameVocabulary(const ViewSnapshot& view)
{
    const auto& a = view.modelA.tokenizer;
    const auto& b = view.modelB.tokenizer;
    return a == b || !a || !b || headscope::haveSameVocabulary(*a, *b);
}

} // namespace

int Comparison::alignedCount() const
{
    return static_cast<int>(std::count_if(
        lines.begin(), lines.end(), [](const AlignedTokens& line) { return line.a && line.b; }));
}

int Comparison::differingPredictions() const
{
    int count = 0;
    for (const AlignedTokens& line : lines) {
        for (int layer = 0; layer < std::min(a.stageCount(), b.stageCount()); ++layer)
            count += differs(*this, line, layer) ? 1 : 0;
    }
    return count;
}

QString alignmentText(int aligned, int lines, int differing)
{
    const QString of = lines == 1 ? tr("%1 of 1 line aligned").arg(aligned)
                                  : tr("%1 of %2 lines aligned").arg(aligned).arg(lines);
    const QString predictions =
        differing == 1 ? tr("1 prediction differs") : tr("%1 predictions differ").arg(differing);
    return of + QStringLiteral(" \u00B7 ") + predictions;
}

TraceKey lensKey(const ViewSnapshot& view, int layer)
{
    return {Site::ResidPost, layer, hasTwoStacks(view) ? Stack::Decoder : Stack::Blocks};
}

Comparison comparisonOf(const ViewSnapshot& view, const std::stop_token& stop)
{
    Comparison comparison;
    const TracePtr& b = second(view);
    if (!view.a || !b)
        return comparison;
    comparison.kind = alignmentKind(view.a->tokens(), b->tokens(), haveSameVocabulary(view));
    comparison.lines = alignTokens(view.a->tokens(), b->tokens(), comparison.kind);
    comparison.a = lensOf(view.modelA, view.a, stop);
    comparison.b = b == view.a ? comparison.a : lensOf(view.modelB, b, stop);
    if (comparison.kind != AlignmentKind::Ids) {
        comparison.textsA = textsOf(comparison.a, view.modelA);
        comparison.textsB = textsOf(comparison.b, view.modelB);
    }
    comparison.divergence = divergenceOf(view, comparison.lines);
    return comparison;
}

LensContent lensContent(const ViewSnapshot& view, const ComparisonPtr& compared, Variant variant)
{
    const Comparison& comparison = *compared;
    LensContent content;
    content.map = view.colourMap;
    const bool isB = variant == Variant::B;
    const TracePtr& trace = isB ? second(view) : view.a;
    const StreamLens& lens = isB ? comparison.b : comparison.a;
    if (!trace || lens.stageCount() == 0)
        return content;
    const LoadedModel& model = isB ? view.modelB : view.modelA;
    const QStringList labels = labelsOf(trace->tokens(), model);
    for (int layer = 0; layer < lens.stageCount(); ++layer)
        content.columnLabels << QString::number(layer);
    const bool patched = isB && view.b && !view.changes.patches.empty();
    const bool onlyLater = patched && seesOnlyEarlier(*view.b, comparedPart(view));
    for (const AlignedTokens& line : comparison.lines) {
        const std::optional<int> token = isB ? line.b : line.a;
        content.rowLabels << (token ? labels.value(*token) : QString());
        for (int layer = 0; layer < lens.stageCount(); ++layer) {
            const std::size_t index = token ? lens.at(*token, layer) : 0;
            content.values.push_back(token ? lens.probabilities[index] : 0.0F);
            content.marked.push_back(differs(comparison, line, layer));
            if (patched)
                content.cone.push_back(
                    token && std::any_of(view.changes.patches.begin(), view.changes.patches.end(),
                                         [&](const CellPatch& patch) {
                                             return isReached(patch, onlyLater, *token, layer);
                                         }));
        }
    }
    content.textOf = [compared, model, isB](HeatmapCell cell) {
        const AlignedTokens& line = compared->lines[static_cast<std::size_t>(cell.row)];
        const std::optional<int> token = isB ? line.b : line.a;
        const StreamLens& read = isB ? compared->b : compared->a;
        return token ? labelOf(read.ids[read.at(*token, cell.column)], model) : QString();
    };
    return content;
}

MaybeNumber lensNumber(const ViewSnapshot& view, const Comparison& comparison, Variant variant,
                       HeatmapCell cell)
{
    const bool isB = variant == Variant::B;
    const StreamLens& lens = isB ? comparison.b : comparison.a;
    if (cell.row < 0 || cell.row >= static_cast<int>(comparison.lines.size()) || cell.column < 0 ||
        cell.column >= lens.stageCount())
        return std::nullopt;
    const AlignedTokens& line = comparison.lines[static_cast<std::size_t>(cell.row)];
    const auto token = isB ? line.b : line.a;
    if (!token)
        return std::nullopt;
    NumberRef number =
        cellNumber(lensKey(view, cell.column), {*token, lens.ids[lens.at(*token, cell.column)]});
    number.kind = NumberRef::Kind::Probability;
    return ShownNumber{std::move(number), isB && view.b ? Variant::B : Variant::A};
}

HeatmapContent divergenceContent(const ViewSnapshot& view, const Comparison& comparison)
{
    HeatmapContent map;
    map.scale.map = view.colourMap;
    map.valueName = tr("divergence");
    map.matrix = comparison.divergence;
    for (int head = 0; head < map.matrix.rows; ++head)
        map.rowLabels << QString::number(head);
    for (int layer = 0; layer < map.matrix.columns; ++layer)
        map.columnLabels << QString::number(layer);
    const HeatmapCell current{view.selection.head, view.selection.layer};
    if (map.matrix.contains(current))
        map.current = current;
    return map;
}

// ----------------------------------------------------------------------------------------- figure

namespace {

NumberTable tableOf(const QString& name, const LensContent& content)
{
    return {name, content.rowLabels, content.columnLabels,
            HeatmapMatrix::copyOf(content.values, content.rows(), content.columns())};
}

} // namespace

Figure compareFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    if (options.value(QLatin1String("section")) == QLatin1String("moved"))
        return differenceFigure(view, differencesOf(view));
    constexpr double kGap = 32.0;
    constexpr double kTitle = 28.0;
    Figure figure = figureOf(view, tr("A and B, layer by layer"));
    const auto comparison = std::make_shared<const Comparison>(comparisonOf(view));
    const LensContent a = lensContent(view, comparison, Variant::A);
    const LensContent b = lensContent(view, comparison, Variant::B);
    figure.caption =
        tr("Top-1 next token at each position after each layer (logit lens: final norm and "
           "unembedding of the residual stream), shaded by its probability, 0 to 1. Dot: top-1 "
           "token differs from the other variant. Outline: what a patch can reach.");
    figure.size = [a, b](const Theme& theme) {
        const QSizeF left = lensSize(a, theme);
        const QSizeF right = lensSize(b, theme);
        return QSizeF(left.width() + right.width() + kGap,
                      std::max(left.height(), right.height()) + kTitle * theme.scale());
    };
    figure.paint = [a, b](QPainter& painter, const QRectF& area, const Theme& theme,
                          const FigureTarget&) {
        const double title = kTitle * theme.scale();
        const double left = lensSize(a, theme).width();
        painter.setFont(theme.font(TextRole::Heading));
        painter.setPen(theme.text);
        const double x = area.x() + left + kGap;
        painter.drawText(QRectF(area.x(), area.y(), left, title), Qt::AlignLeft, tr("A"));
        painter.drawText(QRectF(x, area.y(), area.right() - x, title), Qt::AlignLeft, tr("B"));
        const QRectF below = area.adjusted(0, title, 0, 0);
        const QRectF ofA(below.topLeft(), QSizeF(left, below.height()));
        const QRectF ofB(QPointF(x, below.y()), below.bottomRight());
        paintLens(painter, LensLayout(ofA, a, theme), a, theme);
        paintLens(painter, LensLayout(ofB, b, theme), b, theme);
    };
    if (a.rows() > 0) {
        figure.numbers = {tableOf(QStringLiteral("lens_a"), a),
                          tableOf(QStringLiteral("lens_b"), b)};
        const HeatmapContent divergence = divergenceContent(view, *comparison);
        if (!divergence.matrix.isEmpty())
            figure.numbers.push_back({QStringLiteral("divergence"), divergence.rowLabels,
                                      divergence.columnLabels, divergence.matrix});
    }
    return figure;
}

// ------------------------------------------------------------------------------------------ meter

namespace {

/// Takes a few milliseconds of unembedding.
bool isSmall(const ViewSnapshot& view)
{
    constexpr std::int64_t kMultiplyAdds = 30'000'000;
    if (!view.modelA.model || !view.modelB.model || !view.a)
        return true;
    const auto cost = [](const LoadedModel& model, const Trace& trace) {
        const ModelConfig& config = model.model->config();
        return static_cast<std::int64_t>(trace.tokens().size()) * config.decoderLayerCount() *
               config.dModel * config.vocabularySize;
    };
    return cost(view.modelA, *view.a) + cost(view.modelB, *second(view)) <= kMultiplyAdds;
}

} // namespace

void ComparisonMeter::measure(const ViewSnapshot& view)
{
    const TracePtr& b = second(view);
    const bool waits = view.a && !b; // Keep the last image until B is available.
    if (waits || (view.a == m_a && b == m_b))
        return;
    m_a = view.a;
    m_b = b;
    m_task.cancel();
    if (isSmall(view)) // Avoids showing an empty page first.
        return take(view, comparisonOf(view));
    // A model without predictions fails here; the previous content stays.
    m_task.start(
        [view](const LatestTask::Control& control) { return comparisonOf(view, control.stop()); },
        [this, view](const Comparison& comparison) { take(view, comparison); });
}

void ComparisonMeter::take(const ViewSnapshot& view, Comparison comparison)
{
    m_subject = view;
    m_comparison = std::make_shared<const Comparison>(std::move(comparison));
    emit measured();
}

} // namespace headscope::ui
