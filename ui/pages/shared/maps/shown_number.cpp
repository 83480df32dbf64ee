#include "ui/pages/shared/maps/shown_number.h"

#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

namespace {

/// Weight times the length of the key's value vector (Kobayashi et al. 2020, section 3).
std::optional<NumberRef> valueWeightedNumber(const ViewSnapshot& view, Variant variant,
                                             NumberRef weight)
{
    const Trace& trace = *view.trace(variant);
    const bool cross = view.selection.part == AttentionKind::Cross;
    const TraceKey values{cross ? Site::CrossValue : Site::Value, weight.key.layer,
                          weight.key.stack};
    const auto shape = trace.shapeOf(values);
    if (!shape)
        return std::nullopt;
    const std::int64_t heads = trace.headCount(view.selection.part);
    const std::int64_t head = weight.index[0] * (*shape)[1] / std::max<std::int64_t>(heads, 1);
    NumberRef length;
    length.kind = NumberRef::Kind::Length;
    length.name = tr("length of the value vector").toStdString();
    for (std::int64_t channel = 0; channel < (*shape)[2]; ++channel)
        length.parts.push_back(cellNumber(values, {weight.index[2], head, channel}));
    return productNumber(tr("weight times length of the value vector"),
                         {std::move(weight), std::move(length)});
}

std::vector<NumberRef> cellsOf(TraceKey key, int head, const std::vector<int>& queries,
                               const std::vector<int>& keys)
{
    std::vector<NumberRef> cells;
    for (const int query : queries)
        for (const int other : keys)
            cells.push_back(cellNumber(key, {head, query, other}));
    return cells;
}

} // namespace

Variant variantOf(const ViewSnapshot& view)
{
    return view.shown == Variant::A || !view.b ? Variant::A : Variant::B;
}

NumberRef cellNumber(TraceKey key, std::vector<std::int64_t> index)
{
    NumberRef number;
    number.key = key;
    number.index = std::move(index);
    return number;
}

NumberRef sumNumber(const QString& name, std::vector<NumberRef> parts, double scale,
                    std::vector<NumberRef> over)
{
    NumberRef number;
    number.kind = NumberRef::Kind::Sum;
    number.name = name.toStdString();
    number.parts = std::move(parts);
    number.scale = scale;
    number.over = std::move(over);
    return number;
}

NumberRef productNumber(const QString& name, std::vector<NumberRef> parts, double scale)
{
    NumberRef number = sumNumber(name, std::move(parts), scale);
    number.kind = NumberRef::Kind::Product;
    return number;
}

NumberRef constantNumber(const QString& name, double value)
{
    NumberRef number = sumNumber(name, {}, value);
    number.kind = NumberRef::Kind::Constant;
    return number;
}

NumberRef probabilityNumber(std::int64_t position, TokenId id)
{
    NumberRef number = cellNumber({Site::Logits, 0}, {position, id});
    number.kind = NumberRef::Kind::Probability;
    return number;
}

std::optional<NumberRef> weightNumber(const ViewSnapshot& view, Variant variant, GridCell head,
                                      HeatmapCell cell)
{
    return weightNumber(view, shownPattern(view, variant, head), head, cell);
}

std::optional<NumberRef> weightNumber(const ViewSnapshot& view, const ShownPattern& shown,
                                      GridCell head, HeatmapCell cell)
{
    if (!shown.matrix.contains(cell) || shown.isFaint(cell.row))
        return std::nullopt;
    const TraceKey key = patternKey(view.selection.part, head.layer);
    const auto& queries = shown.rowTokens[static_cast<std::size_t>(cell.row)];
    const auto& keys = shown.columnTokens[static_cast<std::size_t>(cell.column)];
    const TokenDisplay& display = view.display;
    if (queries.size() == 1 && keys.size() == 1 && !shown.renormalised)
        return cellNumber(key, {head.head, queries[0], keys[0]});
    const bool mean = display.grouping == TokenDisplay::Grouping::WordMean;
    double scale = mean ? 1.0 / static_cast<double>(keys.size()) : 1.0;
    std::vector<NumberRef> over;
    if (!shown.renormalised)
        scale /= static_cast<double>(queries.size());
    for (const std::vector<int>& column : shown.columnTokens) {
        if (!shown.renormalised)
            break;
        for (NumberRef& other : cellsOf(key, head.head, queries, column))
            over.push_back(std::move(other)); // Rows are renormalised over the visible cells.
    }
    return sumNumber(
        tr("weight of %1 on %2, layer %3, head %4")
            .arg(shown.rowLabels.value(cell.row), shown.columnLabels.value(cell.column))
            .arg(head.layer)
            .arg(head.head),
        cellsOf(key, head.head, queries, keys), scale, std::move(over));
}

MaybeNumber mapNumber(const ViewSnapshot& view, Variant variant, MapKind kind, HeatmapCell cell)
{
    if (isAttributed(kind)) // Depends on the whole forward pass, not on this cell.
        return std::nullopt;
    const Variant of = variant == Variant::Difference ? Variant::B : variant;
    const Selection& at = view.selection;
    if (!view.trace(of))
        return std::nullopt;
    ViewSnapshot plain = view;
    if (kind != MapKind::Weights)
        plain.display = {}; // These maps are always shown token by token.
    auto number = weightNumber(plain, of, {at.layer, at.head}, cell);
    if (number && kind == MapKind::Scores)
        number = cellNumber(scoresKey(at.part, at.layer), number->index);
    else if (number && kind == MapKind::ValueWeighted)
        number = valueWeightedNumber(view, of, std::move(*number));
    if (!number)
        return std::nullopt;
    return ShownNumber{std::move(*number), of};
}

MaybeNumber pairNumber(const ViewSnapshot& view, std::optional<GridCell> head)
{
    const Variant variant = variantOf(view);
    if (!view.trace(variant))
        return std::nullopt;
    ViewSnapshot there = view;
    if (head) {
        there.selection.layer = head->layer;
        there.selection.head = head->head;
    }
    const GridCell index{there.selection.layer, there.selection.head};
    const TokenPair pair = resolve(there.selection, *there.trace(variant));
    const ShownPattern shown = shownPattern(there, variant, index);
    const HeatmapCell cell{shown.rowOf(pair.query), shown.columnOf(pair.key)};
    if (cell.row < 0 || cell.column < 0)
        return std::nullopt;
    return mapNumber(there, variant, MapKind::Weights, cell);
}

std::optional<QPointF> within(const QWidget& widget, std::optional<QPoint> place)
{
    if (!place || !widget.isVisible())
        return std::nullopt;
    const QPoint inside = widget.mapFromGlobal(*place);
    return widget.rect().contains(inside) ? std::optional<QPointF>(inside) : std::nullopt;
}

std::optional<HeatmapCell> cellAt(const HeatmapWidget& map, std::optional<QPoint> place)
{
    if (!place)
        return map.sinkRow() ? std::nullopt : map.content().current;
    const auto inside = within(map, place);
    return inside ? map.cellAt(*inside) : std::nullopt;
}

} // namespace headscope::ui
