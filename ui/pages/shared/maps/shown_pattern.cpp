#include "ui/pages/shared/maps/shown_patterns.h"

#include "core/analysis/heads/sink_weights.h"
#include "core/analysis/heads/token_groups.h"
#include "core/text/chat/chat_input.h"
#include "core/text/display_text.h"
#include "ui/widgets/text/token_chips.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <iterator>

namespace headscope::ui {

namespace {

std::vector<TokenGroup> groupsOf(const TokenSequence& tokens, const TokenDisplay& display,
                                 HiddenTokens hidden)
{
    return display.grouping == TokenDisplay::Grouping::Pieces ? singleTokens(tokens, hidden)
                                                              : wordGroups(tokens, hidden);
}

/// Cross-attention keeps the first query, whose row has as many keys as any other.
HiddenTokens hiddenRows(const TokenDisplay& display, bool isSelf)
{
    HiddenTokens hidden = display.hidden();
    hidden.first = hidden.first && isSelf;
    return hidden;
}

QStringList groupLabels(const TokenSequence& tokens, const LoadedModel& model,
                        const std::vector<TokenGroup>& groups)
{
    const QStringList pieces = labelsOf(tokens, model);
    QStringList labels;
    for (const TokenGroup& group : groups) {
        if (group.size() == 1) {
            labels << pieces.value(group[0]);
            continue;
        }
        const auto begin = tokens.tokens[static_cast<std::size_t>(group.front())].bytes.begin;
        const auto end = tokens.tokens[static_cast<std::size_t>(group.back())].bytes.end;
        const auto first = std::min(begin, tokens.text.size());
        labels << QString::fromStdString(
                      displayText(std::string_view(tokens.text)
                                      .substr(first, std::min(end, tokens.text.size()) - first)))
                      .trimmed();
    }
    return labels;
}

bool isPlain(const std::vector<TokenGroup>& groups, int tokens)
{
    return static_cast<int>(groups.size()) == tokens;
}

/// A grouped cell is hidden when all of its cells are.
HeatmapMask groupedMask(const HeatmapMask& mask, const HeatmapMatrix& whole,
                        const std::vector<TokenGroup>& rows, const std::vector<TokenGroup>& columns)
{
    if (mask.kind == HeatmapMask::Kind::None)
        return mask;
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (const TokenGroup& row : rows) {
        for (const TokenGroup& column : columns) {
            bool seen = false;
            for (const int query : row)
                for (const int key : column)
                    seen = seen || !mask.hides({query, key}, whole);
            allowed->push_back(seen ? 1 : 0);
        }
    }
    return {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

HeatmapMatrix matrixOf(Tensor tensor)
{
    const auto kept = std::make_shared<const Tensor>(std::move(tensor));
    HeatmapMatrix matrix;
    matrix.values = std::shared_ptr<const float>(kept, kept->view().data);
    matrix.rows = static_cast<int>(kept->shape()[0]);
    matrix.columns = static_cast<int>(kept->shape()[1]);
    return matrix;
}

std::size_t tokensIn(const std::vector<TokenGroup>& groups)
{
    std::size_t tokens = 0;
    for (const TokenGroup& group : groups)
        tokens += group.size();
    return tokens;
}

/// Turn of the first token of each group; none for a text that is not a chat.
std::vector<int> turnsOf(const TokenSequence& tokens, const std::vector<TokenGroup>& groups)
{
    std::vector<int> turns;
    for (const TokenGroup& group : groups)
        turns.push_back(tokens.tokens[static_cast<std::size_t>(group.front())].turn);
    return isChat(tokens) ? turns : std::vector<int>();
}

/// Mask of a head, for the shown rows and columns.
void takeMask(const Trace& trace, HeadId head, ShownPattern& shown)
{
    shown.mask = maskOf(trace, head);
    HeatmapMatrix whole; // Size only.
    whole.rows = static_cast<int>(trace.queryTokens(head.attention).size());
    whole.columns = static_cast<int>(trace.keyTokens(head.attention).size());
    if (!isPlain(shown.rowTokens, whole.rows) || !isPlain(shown.columnTokens, whole.columns))
        shown.mask = groupedMask(shown.mask, whole, shown.rowTokens, shown.columnTokens);
}

/// Rows, columns, labels and the selected head's mask, which all heads of its layer share.
ShownPattern frameOf(const ViewSnapshot& view, Variant variant)
{
    ShownPattern shown;
    const TracePtr& trace = view.trace(variant);
    if (!trace)
        return shown;
    const AttentionKind part = view.selection.part;
    const TokenSequence& queries = trace->queryTokens(part);
    const TokenSequence& keys = trace->keyTokens(part);
    const TokenDisplay& display = view.display;
    const bool isSelf = &queries == &keys;
    shown.rowTokens = groupsOf(queries, display, hiddenRows(display, isSelf));
    shown.rowLabels = groupLabels(queries, view.model(variant), shown.rowTokens);
    shown.columnTokens = isSelf ? shown.rowTokens : groupsOf(keys, display, display.hidden());
    shown.columnLabels =
        isSelf ? shown.rowLabels : groupLabels(keys, view.model(variant), shown.columnTokens);
    shown.rowTurns = turnsOf(queries, shown.rowTokens);
    shown.columnTurns = turnsOf(keys, shown.columnTokens);
    shown.hidesTokens = tokensIn(shown.columnTokens) < keys.size();
    shown.renormalised = shown.hidesTokens && renormalises(display, keys);
    takeMask(*trace, view.selection.headId(), shown);
    return shown;
}

/// Masks whole rows that keep too little attention.
void maskFaintRows(ShownPattern& shown)
{
    if (shown.faintRows.empty())
        return;
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (int row = 0; row < shown.matrix.rows; ++row) {
        const bool faint = shown.isFaint(row);
        for (int column = 0; column < shown.matrix.columns; ++column)
            allowed->push_back(faint || shown.mask.hides({row, column}, shown.matrix) ? 0 : 1);
    }
    shown.mask = {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

std::vector<int> indicesOf(const std::vector<bool>& flags)
{
    std::vector<int> indices;
    for (std::size_t index = 0; index < flags.size(); ++index) {
        if (flags[index])
            indices.push_back(static_cast<int>(index));
    }
    return indices;
}

/// A row of several queries is the mean of theirs, as in groupedPattern().
std::vector<float> groupedSink(const std::vector<float>& sink, const std::vector<TokenGroup>& rows)
{
    std::vector<float> grouped;
    if (sink.empty())
        return grouped;
    for (const TokenGroup& row : rows) {
        double sum = 0.0;
        for (const int query : row)
            sum += double{sink[static_cast<std::size_t>(query)]};
        grouped.push_back(static_cast<float>(sum / static_cast<double>(row.size())));
    }
    return grouped;
}

ShownPattern patternOfVariant(const ViewSnapshot& view, Variant variant, GridCell head,
                              const ShownPattern& frame)
{
    const TracePtr& trace = view.trace(variant);
    const AttentionKind part = view.selection.part;
    const HeatmapMatrix whole =
        trace ? patternOf(*trace, {part, head.layer, head.head}) : HeatmapMatrix();
    if (whole.isEmpty())
        return {};
    ShownPattern shown = frame;
    if (head.layer != view.selection.layer)
        takeMask(*trace, {part, head.layer, head.head}, shown);
    if (!shown.renormalised)
        shown.sink = groupedSink(sinkOf(SinkWeights(*trace), {part, head.layer, head.head}, whole),
                                 shown.rowTokens);
    if (isPlain(shown.rowTokens, whole.rows) && isPlain(shown.columnTokens, whole.columns)) {
        shown.matrix = whole;
        return shown;
    }
    const TensorView pattern{whole.values.get(), {whole.rows, whole.columns}};
    const bool mean = view.display.grouping == TokenDisplay::Grouping::WordMean;
    shown.matrix =
        matrixOf(groupedPattern(pattern, shown.rowTokens, shown.columnTokens,
                                mean ? KeyMerge::Mean : KeyMerge::Sum, shown.renormalised));
    shown.hiddenMass = massOutside(pattern, shown.rowTokens, shown.columnTokens);
    if (shown.renormalised)
        shown.faintRows = indicesOf(faintRows(pattern, shown.rowTokens, shown.columnTokens));
    maskFaintRows(shown);
    return shown;
}

/// A difference hides only what both variants hide.
HeatmapMask commonMask(const ShownPattern& a, const ShownPattern& b)
{
    if (a.mask == b.mask)
        return a.mask;
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (int row = 0; row < a.matrix.rows; ++row) {
        for (int column = 0; column < a.matrix.columns; ++column) {
            const HeatmapCell cell{row, column};
            const bool hidden = a.mask.hides(cell, a.matrix) && b.mask.hides(cell, b.matrix);
            allowed->push_back(hidden ? 0 : 1);
        }
    }
    return {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

/// Leaves B−A in `b`, without a matrix where there is no difference.
void subtract(const ShownPattern& a, ShownPattern& b)
{
    b.sink = differenceOf(a.sink, b.sink);
    HeatmapMatrix difference = differenceOf(a.matrix, b.matrix);
    if (!difference.isEmpty()) {
        b.mask = commonMask(a, b);
        b.isSigned = true;
        std::vector<int> faint;
        std::set_union(a.faintRows.begin(), a.faintRows.end(), b.faintRows.begin(),
                       b.faintRows.end(), std::back_inserter(faint));
        b.faintRows = std::move(faint);
        maskFaintRows(b); // A row missing in one variant has no difference.
    }
    b.matrix = std::move(difference);
}

} // namespace

int groupOf(const std::vector<std::vector<int>>& groups, int token)
{
    for (std::size_t group = 0; group < groups.size(); ++group) {
        if (std::find(groups[group].begin(), groups[group].end(), token) != groups[group].end())
            return static_cast<int>(group);
    }
    return -1;
}

int ShownPattern::rowOf(int token) const
{
    return groupOf(rowTokens, token);
}

int ShownPattern::columnOf(int token) const
{
    return groupOf(columnTokens, token);
}

bool ShownPattern::isFaint(int row) const
{
    return std::binary_search(faintRows.begin(), faintRows.end(), row);
}

bool renormalises(const TokenDisplay& display, const TokenSequence& keys)
{
    HiddenTokens hidden = display.hidden();
    hidden.chatTemplate = false;
    return !keys.tokens.empty() && singleTokens(keys, hidden).size() < keys.size();
}

ShownPattern shownPattern(const ViewSnapshot& view, GridCell head)
{
    return shownPattern(view, view.shown, head);
}

ShownPattern shownPattern(const ViewSnapshot& view, Variant variant, GridCell head)
{
    return shownPatterns(view, variant, {head}).front();
}

std::vector<ShownPattern> shownPatterns(const ViewSnapshot& view, Variant variant,
                                        const std::vector<GridCell>& heads)
{
    const bool isDifference = variant == Variant::Difference;
    const ShownPattern frame = frameOf(view, isDifference ? Variant::B : variant);
    const ShownPattern frameOfA = isDifference ? frameOf(view, Variant::A) : ShownPattern();
    std::vector<ShownPattern> patterns;
    for (const GridCell& head : heads) {
        ShownPattern shown =
            patternOfVariant(view, isDifference ? Variant::B : variant, head, frame);
        if (isDifference)
            subtract(patternOfVariant(view, Variant::A, head, frameOfA), shown);
        patterns.push_back(std::move(shown));
    }
    return patterns;
}

QStringList labelsOf(const TokenSequence& tokens, const LoadedModel& model)
{
    if (model.tokenizer)
        return tokenLabels(tokenChips(tokens, *model.tokenizer));
    QStringList labels; // A trace file alone.
    for (const Token& token : tokens.tokens) {
        const auto begin = std::min(token.bytes.begin, tokens.text.size());
        const auto end = std::clamp(token.bytes.end, begin, tokens.text.size());
        const QString text = QString::fromStdString(
            displayText(std::string_view(tokens.text).substr(begin, end - begin)));
        labels.append(text.isEmpty() ? QStringLiteral("#%1").arg(token.id) : text.trimmed());
    }
    return labels;
}

QString labelOf(TokenId id, const LoadedModel& model)
{
    const bool isKnown = model.tokenizer && id >= 0 &&
                         static_cast<std::size_t>(id) < model.tokenizer->vocabularySize();
    if (!isKnown) // the id may be of the model before
        return QStringLiteral("#%1").arg(id);
    TokenSequence one;
    one.text = model.tokenizer->tokenBytes(id);
    one.tokens.push_back({id, {0, one.text.size()}, model.tokenizer->isSpecial(id)});
    return tokenLabels(tokenChips(one, *model.tokenizer)).value(0);
}

QString headTitle(const Selection& selection)
{
    const QString pattern =
        selection.part == AttentionKind::EncoderSelf   ? tr("Encoder layer %1 · Head %2")
        : selection.part == AttentionKind::DecoderSelf ? tr("Decoder layer %1 · Head %2")
        : selection.part == AttentionKind::Cross       ? tr("Cross layer %1 · Head %2")
                                                       : tr("Layer %1 · Head %2");
    return pattern.arg(selection.layer).arg(selection.head);
}

} // namespace headscope::ui
