#include "ui/pages/overview/cross_content.h"

#include "core/analysis/lens/next_token.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

const QStringList kKinds = {"head", "layer", "all"};

ViewSnapshot atCross(ViewSnapshot view)
{
    if (view.selection.part == AttentionKind::Cross)
        return view;
    view.selection = {};
    view.selection.part = AttentionKind::Cross;
    return view;
}

std::vector<GridCell> headsOf(const ViewSnapshot& view, const CrossOptions& options)
{
    const TracePtr& trace = view.trace();
    const Selection& selection = view.selection;
    std::vector<GridCell> heads;
    for (int layer = 0; layer < trace->layerCount(AttentionKind::Cross); ++layer) {
        for (int head = 0; head < trace->headCount(AttentionKind::Cross); ++head) {
            const bool sameLayer = layer == selection.layer;
            const bool wanted =
                options.of == AlignmentOf::Everything ||
                (sameLayer && (options.of == AlignmentOf::Layer || head == selection.head));
            if (wanted)
                heads.push_back({layer, head});
        }
    }
    return heads;
}

void divideRows(std::vector<float>& cells, const std::vector<int>& summands)
{
    const std::size_t columns = cells.size() / std::max<std::size_t>(summands.size(), 1);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        cells[cell] /= static_cast<float>(std::max(summands[cell / columns], 1));
}

/// Rows that no head shows; cross-attention has no other mask.
void takeFaintRows(ShownPattern& mean, const std::vector<int>& summands)
{
    mean.faintRows.clear();
    mean.mask = {};
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (std::size_t row = 0; row < summands.size(); ++row) {
        if (summands[row] == 0)
            mean.faintRows.push_back(static_cast<int>(row));
        allowed->insert(allowed->end(), static_cast<std::size_t>(mean.matrix.columns),
                        summands[row] == 0 ? 0 : 1);
    }
    if (!mean.faintRows.empty())
        mean.mask = {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

/// Mean over the heads that show a row: those that leave too little of it say nothing there.
ShownPattern meanPattern(const ViewSnapshot& view, const std::vector<GridCell>& heads)
{
    ShownPattern mean;
    std::vector<float> sum;
    std::vector<int> summands;
    for (const GridCell head : heads) {
        const ShownPattern one = shownPattern(view, head);
        if (one.matrix.isEmpty())
            return one;
        const auto cells = static_cast<std::size_t>(one.matrix.rows) *
                           static_cast<std::size_t>(one.matrix.columns);
        if (sum.empty()) {
            mean = one;
            mean.hiddenMass = 0.0;
            sum.resize(cells);
            summands.resize(static_cast<std::size_t>(one.matrix.rows));
        }
        for (std::size_t cell = 0; cell < cells; ++cell)
            sum[cell] += one.matrix.values.get()[cell];
        for (int row = 0; row < one.matrix.rows; ++row)
            summands[static_cast<std::size_t>(row)] += one.isFaint(row) ? 0 : 1;
        mean.hiddenMass += one.hiddenMass / static_cast<double>(heads.size());
    }
    if (heads.empty())
        return mean;
    divideRows(sum, summands);
    mean.matrix = HeatmapMatrix::copyOf(std::move(sum), mean.matrix.rows, mean.matrix.columns);
    takeFaintRows(mean, summands);
    return mean;
}

/// A row that reads one token writes the next; the last row writes the most likely token.
QStringList writtenTokens(const ViewSnapshot& view, const ShownPattern& pattern)
{
    const Trace& trace = *view.trace();
    const QStringList read = labelsOf(trace.tokens(), view.model());
    QStringList written;
    for (const std::vector<int>& tokens : pattern.rowTokens) {
        QStringList pieces;
        for (const int token : tokens) {
            if (token + 1 < read.size()) {
                pieces << read[token + 1];
                continue;
            }
            const auto next = nextTokens(trace, token, 1, nullptr);
            pieces << (next.empty() ? QStringLiteral("?") : labelOf(next.front().id, view.model()));
        }
        written << pieces.join(QString());
    }
    return written;
}

QString wordsFor(const ViewSnapshot& view, const CrossOptions& options)
{
    const int layer = view.selection.layer;
    if (options.of == AlignmentOf::Head)
        return headTitle(view.selection);
    const int heads = view.trace()->headCount(AttentionKind::Cross);
    if (options.of == AlignmentOf::Layer)
        return tr("mean over the %1 heads of layer %2").arg(heads).arg(layer);
    return tr("mean over all %1 layers and %2 heads")
        .arg(view.trace()->layerCount(AttentionKind::Cross))
        .arg(heads);
}

int strongestIn(const HeatmapMatrix& matrix, int row)
{
    int best = 0;
    for (int column = 1; column < matrix.columns; ++column)
        if (std::abs(matrix.at({row, column})) > std::abs(matrix.at({row, best})))
            best = column;
    return best;
}

} // namespace

bool hasCrossAttention(const ViewSnapshot& view)
{
    return view.trace() && view.trace()->layerCount(AttentionKind::Cross) > 0;
}

CrossContent crossContent(const ViewSnapshot& given, const CrossOptions& options)
{
    CrossContent content;
    if (!hasCrossAttention(given))
        return content;
    const ViewSnapshot view = atCross(given);
    if (view.shown == Variant::Difference && !view.isComparable()) {
        content.problem = tr("A and B have different numbers of tokens, layers or heads: there is "
                             "no B−A. Look at A or B alone.");
        return content;
    }
    content.pattern = meanPattern(view, headsOf(view, options));
    content.what = wordsFor(view, options);
    if (content.isEmpty())
        return content;
    if (content.pattern.hidesTokens) {
        content.hidden = hiddenMassText(view, content.pattern.hiddenMass);
        content.leftOut =
            renormalisedText(view, content.pattern.hiddenMass, content.pattern.faintRows.size());
    }
    content.written = writtenTokens(view, content.pattern);
    for (int row = 0; row < content.pattern.matrix.rows; ++row)
        content.strongest.push_back(strongestIn(content.pattern.matrix, row));
    const TokenPair pair = pairOf(view);
    const int row = content.pattern.rowOf(pair.query);
    if (row >= 0)
        content.row = row;
    const int column = view.selection.key >= 0 ? content.pattern.columnOf(pair.key)
                       : row >= 0              ? content.strongest[static_cast<std::size_t>(row)]
                                               : -1;
    if (column >= 0)
        content.column = column;
    return content;
}

MaybeNumber crossNumber(const ViewSnapshot& given, const CrossOptions& options, HeatmapCell cell)
{
    if (!hasCrossAttention(given))
        return std::nullopt;
    const ViewSnapshot view = atCross(given);
    const Variant variant = variantOf(view);
    std::vector<NumberRef> weights;
    for (const GridCell head : headsOf(view, options))
        if (auto weight = weightNumber(view, variant, head, cell))
            weights.push_back(std::move(*weight));
    if (weights.empty())
        return std::nullopt;
    if (weights.size() == 1)
        return ShownNumber{std::move(weights.front()), variant};
    const double fraction = 1.0 / static_cast<double>(weights.size());
    return ShownNumber{sumNumber(wordsFor(view, options), std::move(weights), fraction), variant};
}

HeatmapContent crossMap(const CrossContent& content, const ViewSnapshot& view)
{
    HeatmapContent map;
    map.matrix = content.pattern.matrix;
    map.mask = content.pattern.mask;
    map.emptyRows = content.pattern.faintRows;
    map.scale = content.pattern.isSigned ? ColourScale::difference() : ColourScale::weights();
    if (!content.pattern.isSigned)
        map.scale.map = view.colourMap;
    for (int row = 0; row < content.written.size(); ++row)
        map.rowLabels << QStringLiteral("%1 \u2192 %2")
                             .arg(content.pattern.rowLabels.value(row), content.written[row]);
    map.columnLabels = content.pattern.columnLabels;
    map.queryRow = content.row;
    if (content.row && content.column)
        map.current = HeatmapCell{*content.row, *content.column};
    if (content.pattern.isSigned)
        map.valueName = tr("difference");
    map.stale = view.stale;
    return map;
}

ColourBarContent crossLegend(const CrossContent& content, const ViewSnapshot& view)
{
    ColourBarContent legend;
    legend.scale = crossMap(content, view).scale;
    if (!content.pattern.faintRows.empty())
        legend.swatch = orFaint(QString());
    legend.title = content.pattern.isSigned ? tr("Weight in B minus weight in A, −1 to +1")
                                            : tr("Attention weight, fixed scale 0 to 1");
    return legend;
}

AlignmentContent crossAlignment(const CrossContent& content, const CrossOptions& options,
                                bool stale)
{
    AlignmentContent alignment;
    alignment.above = content.pattern.columnLabels;
    alignment.below = content.written;
    alignment.matrix = content.pattern.matrix;
    alignment.isSigned = content.pattern.isSigned;
    alignment.stale = stale;
    if (alignment.isSigned)
        alignment.threshold = 0.05;
    if (options.pinned)
        alignment.current = content.row;
    return alignment;
}

std::vector<Bar> crossBars(const CrossContent& content)
{
    std::vector<Bar> bars;
    for (int row = 0; row < content.written.size(); ++row) {
        const int column = content.strongest[static_cast<std::size_t>(row)];
        const bool faint = content.pattern.isFaint(row);
        Bar bar;
        bar.label =
            QStringLiteral("%1 \u2190 %2")
                .arg(content.written[row],
                     faint ? QStringLiteral("\u2013") : content.pattern.columnLabels.value(column));
        bar.value = double{content.pattern.matrix.at({row, column})};
        bar.position = content.pattern.columnTokens[static_cast<std::size_t>(column)].front();
        bar.role = content.row == row ? Role::Query : Role::Plain;
        bar.subject = content.row == row;
        bars.push_back(bar);
    }
    return bars;
}

QString crossSentence(const CrossContent& content, int row)
{
    if (row < 0 || row >= content.written.size())
        return {};
    if (content.pattern.isFaint(row))
        return tr("Writing \u201C%1\u201D, too little of the attention is left to show")
            .arg(content.written[row]);
    const int column = content.strongest[static_cast<std::size_t>(row)];
    const double weight = double{content.pattern.matrix.at({row, column})};
    const int position = content.pattern.columnTokens[static_cast<std::size_t>(column)].front();
    const QString source = content.pattern.columnLabels.value(column);
    if (content.pattern.isSigned)
        return tr("Writing \u201C%1\u201D, the weight on \u201C%2\u201D (position %3) changes "
                  "most: %4")
            .arg(content.written[row], source)
            .arg(position)
            .arg(signedNumber(weight, 3));
    return tr("\u201C%1\u201D is written attending most to \u201C%2\u201D (position %3), weight %4")
        .arg(content.written[row], source)
        .arg(position)
        .arg(readoutNumber(weight));
}

CrossOptions CrossOptions::fromJson(const QJsonObject& json)
{
    CrossOptions options;
    const auto kind = kKinds.indexOf(json["of"].toString());
    if (kind >= 0)
        options.of = static_cast<AlignmentOf>(kind);
    options.pinned = json["pinned"].toBool();
    return options;
}

QJsonObject CrossOptions::toJson() const
{
    return {{"of", kKinds[static_cast<int>(of)]}, {"pinned", pinned}};
}

} // namespace headscope::ui
