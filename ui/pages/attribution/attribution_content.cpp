#include "ui/pages/attribution/attribution_content.h"

#include "core/analysis/lens/next_token.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"
#include "ui/workers/forward/patterns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr int kChoices = 12;

bool isSame(const LogitPart& a, const LogitPart& b)
{
    return a.kind == b.kind && a.layer == b.layer && a.head == b.head && a.cross == b.cross &&
           a.norm == b.norm;
}

/// B−A, part by part; parts present in only one run are kept.
std::vector<LogitPart> difference(const std::vector<LogitPart>& a, std::vector<LogitPart> b)
{
    for (const LogitPart& before : a) {
        const auto found = std::find_if(
            b.begin(), b.end(), [&](const LogitPart& part) { return isSame(part, before); });
        if (found != b.end()) {
            found->value -= before.value;
            continue;
        }
        b.push_back(before);
        b.back().value = -before.value;
    }
    return b;
}

QString normName(LogitNorm norm)
{
    switch (norm) {
    case LogitNorm::Embedding:
        return tr("embedding norm");
    case LogitNorm::First:
        return tr("norm 1");
    case LogitNorm::Cross:
        return tr("cross norm");
    case LogitNorm::Second:
        return tr("norm 2");
    default:
        return tr("final norm");
    }
}

/// One logit attribution: A, B, or B−A.
LogitAttribution shownLogit(const ViewSnapshot& view, const OfRuns<AttributionParts>& parts)
{
    if (view.shown != Variant::Difference)
        return parts.of(view.shown)->logit;
    LogitAttribution result = parts.b->logit;
    result.parts = difference(parts.a->logit.parts, result.parts);
    result.logit -= parts.a->logit.logit;
    return result;
}

HeatmapContent mapOf(const LogitAttribution& logit, AttributionContent& content)
{
    const bool cross = std::any_of(logit.parts.begin(), logit.parts.end(),
                                   [](const LogitPart& part) { return part.cross; });
    HeatmapContent map;
    std::vector<float> values;
    const auto layers = static_cast<std::size_t>(logit.layers);
    const auto addRow = [&](const QString& label, const std::vector<double>& all, std::size_t first,
                            std::size_t stride) {
        map.rowLabels << label;
        for (std::size_t layer = 0; layer < layers; ++layer)
            values.push_back(static_cast<float>(all[layer * stride + first]));
    };
    const auto addHeads = [&](bool ofCross) {
        const std::vector<double> all = logit.headValues(ofCross);
        for (int head = 0; head < logit.heads; ++head) {
            addRow(ofCross ? tr("cross %1").arg(head) : QString::number(head), all,
                   static_cast<std::size_t>(head), static_cast<std::size_t>(logit.heads));
            std::vector<std::optional<LogitHead>> row;
            for (int layer = 0; layer < logit.layers; ++layer)
                row.emplace_back(LogitHead{layer, head, ofCross});
            content.mapHeads.push_back(std::move(row));
        }
    };
    addHeads(false);
    if (cross)
        addHeads(true);
    const bool hasMlp = std::any_of(logit.parts.begin(), logit.parts.end(), [](const auto& part) {
        return part.kind == LogitPartKind::Mlp;
    });
    if (hasMlp) {
        addRow(tr("MLP"), logit.mlpValues(), 0, 1);
        content.mapHeads.emplace_back(layers);
    }
    for (int layer = 0; layer < logit.layers; ++layer)
        map.columnLabels << QString::number(layer);
    const float largest =
        std::accumulate(values.begin(), values.end(), 1e-6F,
                        [](float a, float b) { return std::max(a, std::abs(b)); });
    map.matrix = HeatmapMatrix::copyOf(std::move(values), static_cast<int>(map.rowLabels.size()),
                                       logit.layers);
    map.scale = ColourScale::difference(largest);
    map.rowsName = tr("head");
    map.columnsName = tr("layer");
    map.valueName = tr("contribution to the logit");
    return map;
}

/// Running sum after the embeddings, after each layer, and at the end: the logit.
LineChartContent courseOf(const LogitAttribution& logit)
{
    LineChartCurve curve;
    curve.name = tr("running sum");
    curve.ending = number(logit.logit, 2);
    curve.tone = LineChartCurve::Tone::Subject;
    double sum = 0.0;
    const auto addUpTo = [&](auto belongs, double x) {
        for (const LogitPart& part : logit.parts)
            if (belongs(part))
                sum += part.value;
        curve.points.push_back({x, sum});
    };
    const auto isLate = [](const LogitPart& part) {
        return part.kind == LogitPartKind::HeadBias || part.norm == LogitNorm::Final;
    };
    addUpTo([&](const LogitPart& part) { return part.layer < 0 && !isLate(part); }, 0.0);
    for (int layer = 0; layer < logit.layers; ++layer)
        addUpTo([&](const LogitPart& part) { return part.layer == layer; }, layer + 1.0);
    addUpTo(isLate, logit.layers + 1.0);
    LineChartContent chart;
    chart.title = tr("Running sum through the layers");
    chart.note = tr("from the embeddings (0) to the logit");
    chart.unit = tr("step");
    chart.numbersBelow = true;
    chart.decimals = 3;
    chart.rightRoom = 64.0;
    chart.x = {.high = logit.layers + 1.0, .whole = true};
    chart.curves = {std::move(curve)};
    chart.y = axisOf(chart.curves, false);
    return chart;
}

void addChoices(AttributionContent& content, const ViewSnapshot& view, const LogitTarget& target)
{
    const Trace& trace = *view.trace();
    for (const Candidate& candidate : nextTokens(trace, target.position, kChoices, nullptr))
        content.tokens.push_back(
            {candidate.id,
             tr("%1 \u00B7 %2 %")
                 .arg(labelOf(candidate.id, view.model()),
                      number(100.0 * static_cast<double>(candidate.probability), 1))});
    const auto has = [&](TokenId id) {
        return std::any_of(content.tokens.begin(), content.tokens.end(),
                           [id](const AttributionChoice& choice) { return choice.id == id; });
    };
    const auto next = static_cast<std::size_t>(target.position) + 1;
    const std::vector<TokenId> ids = trace.tokens().ids();
    if (next < ids.size() && !has(ids[next]))
        content.tokens.push_back(
            {ids[next], tr("%1 \u00B7 actual next").arg(labelOf(ids[next], view.model()))});
    for (const TokenId id : {target.token, target.other.value_or(target.token)})
        if (!has(id))
            content.tokens.push_back({id, labelOf(id, view.model())});
}

void addRows(AttributionContent& content, const LogitAttribution& logit, bool sorted)
{
    for (const LogitPart& part : logit.parts)
        content.rows.push_back({part, nameOf(part), part.value});
    if (sorted)
        std::stable_sort(content.rows.begin(), content.rows.end(),
                         [](const AttributionRow& a, const AttributionRow& b) {
                             return std::abs(a.value) > std::abs(b.value);
                         });
}

/// For each token of the shown text whether the mask hides it from `query`, in a difference in both
/// variants.
std::vector<bool> hiddenFrom(const ViewSnapshot& view, int query)
{
    const auto count = static_cast<int>(view.trace()->tokens().size());
    HeatmapMatrix size; // without values
    size.rows = size.columns = count;
    std::vector<bool> hidden(static_cast<std::size_t>(count), true);
    const auto reveal = [&](Variant variant) {
        const HeatmapMask mask = maskOf(*view.trace(variant));
        for (int token = 0; token < count; ++token)
            if (!mask.hides({query, token}, size))
                hidden[static_cast<std::size_t>(token)] = false;
    };
    if (view.shown == Variant::Difference)
        reveal(Variant::A);
    reveal(view.shown);
    return hidden;
}

void addSources(AttributionContent& content, const ViewSnapshot& view,
                const OfRuns<AttributionParts>& parts, const LogitTarget& target, bool sorted)
{
    const bool isDifference = view.shown == Variant::Difference;
    const AttributionParts& shown = *parts.of(view.shown);
    content.head = shown.head;
    std::vector<double> values = shown.sources;
    if (isDifference && parts.a->sources.size() == values.size())
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] -= parts.a->sources[i];
    else if (isDifference)
        values.clear();
    if (values.empty())
        content.sourcesProblem =
            tr("Not defined: this head's output was replaced and does not come from tokens.");
    const Trace& trace = *view.trace();
    const TokenSequence& tokens = shown.head.cross ? trace.sourceTokens() : trace.tokens();
    const QStringList labels = labelsOf(tokens, view.model());
    const std::vector<bool> hidden = shown.head.cross
                                         ? std::vector<bool>()
                                         : hiddenFrom(view, static_cast<int>(target.position));
    for (std::size_t token = 0; token < values.size(); ++token) {
        if (values[token] == 0.0 && token < hidden.size() && hidden[token])
            continue; // no contribution of 0: the head cannot see it
        Bar bar;
        bar.label = labels.value(static_cast<qsizetype>(token));
        bar.value = values[token];
        bar.position = static_cast<int>(token);
        bar.role = Role::Key;
        bar.words = signedNumber(values[token], 3);
        content.sources.push_back(bar);
    }
    if (sorted)
        std::stable_sort(
            content.sources.begin(), content.sources.end(),
            [](const Bar& a, const Bar& b) { return std::abs(a.value) > std::abs(b.value); });
}

std::vector<double> together(const InputAttribution& of)
{
    std::vector<double> all = of.source;
    all.insert(all.end(), of.tokens.begin(), of.tokens.end());
    return all;
}

/// Input attributions. [2, source and tokens]
std::vector<double> inputRows(const AttributionInputs& inputs)
{
    std::vector<double> rows = together(inputs.gradient);
    const std::vector<double> integrated = together(inputs.integrated);
    rows.insert(rows.end(), integrated.begin(), integrated.end());
    return rows;
}

QString pathText(const PathResult& path)
{
    QString words = tr("Integrated from embeddings of 0: they sum to %1 where the logit rises "
                       "by %2 (%3 steps).")
                        .arg(signedNumber(path.sum, 2), signedNumber(path.full - path.baseline, 2))
                        .arg(path.steps);
    if (std::abs(path.jumps) > 0.005)
        words += QLatin1Char(' ') + tr("The logit jumps by %1 at 0 or when routing changes; no "
                                       "token accounts for that.")
                                        .arg(signedNumber(path.jumps, 2));
    return words;
}

/// Each row is scaled to its own largest magnitude, because the two measures may differ widely.
std::vector<float> rowShades(const std::vector<double>& rows, std::size_t width)
{
    std::vector<float> shades(rows.size());
    for (std::size_t first = 0; first + width <= rows.size(); first += width) {
        double largest = 1e-9;
        for (std::size_t i = first; i < first + width; ++i)
            largest = std::max(largest, std::abs(rows[i]));
        for (std::size_t i = first; i < first + width; ++i)
            shades[i] = static_cast<float>(rows[i] / largest);
    }
    return shades;
}

/// Mask of the columns that are hidden from `query` and have no influence through other tokens.
HeatmapMask inputsMask(const ViewSnapshot& view, int query, const std::vector<double>& rows)
{
    const std::vector<bool> hidden = hiddenFrom(view, query);
    const std::size_t width = rows.size() / 2;
    const std::size_t before = width - hidden.size(); // source tokens
    auto allowed = std::make_shared<std::vector<std::uint8_t>>(rows.size(), 1);
    for (std::size_t token = 0; token < hidden.size(); ++token) {
        const std::size_t column = before + token;
        if (hidden[token] && rows[column] == 0.0 && rows[width + column] == 0.0)
            (*allowed)[column] = (*allowed)[width + column] = 0;
    }
    const bool isWhole = std::find(allowed->begin(), allowed->end(), 0) == allowed->end();
    return isWhole ? HeatmapMask() : HeatmapMask{HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

void addInputs(AttributionContent& content, const ViewSnapshot& view,
               const OfRuns<AttributionInputs>& inputs, const LogitTarget& target)
{
    const auto& shown = inputs.of(view.shown);
    const bool isDifference = view.shown == Variant::Difference;
    if (!shown || (isDifference && !inputs.a))
        return;
    content.inputsNote = shown->problem;
    if (!shown->problem.isEmpty())
        return;
    std::vector<double> rows = inputRows(*shown);
    if (isDifference) {
        const std::vector<double> before = inputRows(*inputs.a);
        if (before.size() != rows.size())
            return;
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] -= before[i];
    } else {
        content.inputsNote = pathText(shown->integrated.path);
    }
    const Trace& trace = *view.trace();
    HeatmapContent& map = content.inputs;
    map.columnLabels =
        labelsOf(trace.sourceTokens(), view.model()) + labelsOf(trace.tokens(), view.model());
    map.rowLabels = QStringList{tr("gradient"), tr("integrated")};
    const auto tokens = static_cast<std::size_t>(map.columnLabels.size());
    map.matrix = HeatmapMatrix::copyOf({rows.begin(), rows.end()}, 2, static_cast<int>(tokens));
    map.shades = HeatmapMatrix::copyOf(rowShades(rows, tokens), 2, static_cast<int>(tokens));
    if (rows.size() == 2 * tokens)
        map.mask = inputsMask(view, static_cast<int>(target.position), rows);
    map.scale = ColourScale::difference(1.0F);
    map.rowsName = tr("measure");
    map.columnsName = tr("token");
    map.valueName = tr("contribution to the logit");
}

QString targetText(const ViewSnapshot& view, const LogitTarget& target)
{
    const QStringList labels = labelsOf(view.trace()->tokens(), view.model());
    const QString after = labels.value(static_cast<qsizetype>(target.position));
    const QString token = labelOf(target.token, view.model());
    if (!target.other)
        return tr("Logit of \u201C%1\u201D after \u201C%2\u201D (%3)")
            .arg(token, after)
            .arg(target.position);
    return tr("Logit of \u201C%1\u201D minus that of \u201C%2\u201D after \u201C%3\u201D (%4)")
        .arg(token, labelOf(*target.other, view.model()), after)
        .arg(target.position);
}

} // namespace

QString nameOf(const LogitPart& part)
{
    switch (part.kind) {
    case LogitPartKind::TokenEmbedding:
        return tr("token embedding");
    case LogitPartKind::PositionEmbedding:
        return tr("position embedding");
    case LogitPartKind::SegmentEmbedding:
        return tr("segment embedding");
    case LogitPartKind::NormBias:
        return part.layer < 0 ? tr("%1 bias").arg(normName(part.norm))
                              : tr("%1 bias %2").arg(normName(part.norm)).arg(part.layer);
    case LogitPartKind::Head:
        return (part.cross ? tr("cross head %1.%2") : tr("head %1.%2"))
            .arg(part.layer)
            .arg(part.head);
    case LogitPartKind::AttentionBias:
        return (part.cross ? tr("cross bias b_O %1") : tr("bias b_O %1")).arg(part.layer);
    case LogitPartKind::Mlp:
        return tr("MLP %1").arg(part.layer);
    case LogitPartKind::Replaced:
        return part.layer < 0 ? tr("replaced by a change")
                              : tr("replaced by a change, layer %1").arg(part.layer);
    case LogitPartKind::HeadBias:
        break;
    }
    return tr("unembedding bias");
}

std::optional<HeatmapCell> cellOf(const AttributionContent& content, const LogitHead& head)
{
    for (std::size_t row = 0; row < content.mapHeads.size(); ++row)
        for (std::size_t layer = 0; layer < content.mapHeads[row].size(); ++layer)
            if (content.mapHeads[row][layer] == head)
                return HeatmapCell{static_cast<int>(row), static_cast<int>(layer)};
    return std::nullopt;
}

AttributionContent attributionContent(const ViewSnapshot& view, const AttributionOptions& options,
                                      const OfRuns<AttributionParts>& parts,
                                      const OfRuns<AttributionInputs>& inputs)
{
    AttributionContent content;
    const auto& shown = parts.of(view.shown);
    const bool isDifference = view.shown == Variant::Difference;
    if (!view.trace() || !shown || (isDifference && !parts.a))
        return content;
    content.problem = shown->problem;
    if (content.problem.isEmpty() && isDifference)
        content.problem = parts.a->problem;
    if (content.problem.isEmpty() && isDifference && !view.isComparable())
        content.problem = tr("A and B have different numbers of tokens, layers or heads, so "
                             "B\u2212A is not defined. View A or B alone.");
    const auto target = attributionTarget(view, options);
    if (!content.problem.isEmpty() || !target)
        return content;
    const LogitAttribution logit = shownLogit(view, parts);
    content.target = targetText(view, *target);
    content.isSigned = isDifference;
    content.sum = logit.sum();
    content.logit = logit.logit;
    addChoices(content, view, *target);
    addRows(content, logit, options.sorted);
    content.map = mapOf(logit, content);
    content.course = courseOf(logit);
    addSources(content, view, parts, *target, options.sorted);
    content.map.current = cellOf(content, content.head);
    addInputs(content, view, inputs, *target);
    return content;
}

} // namespace headscope::ui
