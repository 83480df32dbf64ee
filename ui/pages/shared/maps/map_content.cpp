#include "ui/pages/shared/maps/map_content.h"

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/widgets/heatmap/visible_cells.h"
#include "ui/widgets/tr.h"
#include "ui/workers/forward/patterns.h"

#include <algorithm>

namespace headscope::ui {

namespace {

void takeShown(MapWithLegend& result, const ShownPattern& shown)
{
    result.map.matrix = shown.matrix;
    result.map.sink = shown.sink;
    result.map.mask = shown.mask;
    result.map.rowLabels = shown.rowLabels;
    result.map.columnLabels = shown.columnLabels;
    result.map.rowTurns = shown.rowTurns;
    result.map.columnTurns = shown.columnTurns;
    result.rowTokens = shown.rowTokens;
    result.columnTokens = shown.columnTokens;
    result.hidesTokens = shown.hidesTokens;
    result.renormalised = shown.renormalised;
    result.hiddenMass = shown.hiddenMass;
    result.faintRows = shown.faintRows;
    result.map.emptyRows = shown.faintRows;
}

/// Scores or value-weighted weights of one variant, token by token [n, m].
HeatmapMatrix plainMatrix(const ViewSnapshot& view, Variant variant, MapKind kind)
{
    const TracePtr& trace = view.trace(variant);
    const Selection& at = view.selection;
    if (!trace || trace->headsOf(patternKey(at.part, at.layer)) == 0)
        return {};
    const HeadReading reading{*trace, at.layer, at.head, at.part};
    std::vector<float> values = kind == MapKind::Scores
                                    ? scoreMatrix(reading, view.model(variant).model.get())
                                    : valueWeighted(reading);
    const auto rows = static_cast<int>(trace->queryTokens(at.part).size());
    const auto columns = static_cast<int>(trace->keyTokens(at.part).size());
    if (values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))
        return {};
    return HeatmapMatrix::copyOf(std::move(values), rows, columns);
}

/// Scores cannot be summed over the pieces of a word: these maps are always shown token by token.
MapWithLegend plainMap(ViewSnapshot view, Variant variant, MapKind kind)
{
    MapWithLegend result;
    view.display = {};
    takeShown(result, shownPattern(view, variant, {view.selection.layer, view.selection.head}));
    result.map.sink.clear(); // it has no value, and one score for all rows
    if (result.map.matrix.isEmpty())
        return result;
    result.map.matrix =
        variant == Variant::Difference
            ? differenceOf(plainMatrix(view, Variant::A, kind), plainMatrix(view, Variant::B, kind))
            : plainMatrix(view, variant, kind);
    return result;
}

QString wordsOf(MapKind kind, bool difference)
{
    if (kind == MapKind::Weights)
        return difference ? tr("B\u2212A: difference") : tr("Attention weight");
    if (kind == MapKind::Scores)
        return difference ? tr("B\u2212A of the scores") : tr("Score before softmax");
    return difference ? tr("B\u2212A of weight times value length")
                      : tr("Weight times length of the value vector");
}

QString nameOfValues(MapKind kind, bool difference)
{
    if (difference)
        return tr("difference");
    if (isAttributed(kind))
        return isSigned(kind) ? tr("contribution to the logit") : tr("weight");
    return kind == MapKind::Scores ? tr("score") : tr("weight");
}

/// Mask of the trace, restricted to the shown cells.
QString swatchOf(const MapWithLegend& shown, const ViewSnapshot& view, Variant variant)
{
    const TracePtr& trace = view.trace(variant);
    const QString mask = shown.hidesTokens && trace
                             ? hiddenBy(maskOf(*trace, view.selection.headId()))
                             : hiddenBy(shown.map.mask);
    return shown.faintRows.empty() ? mask : orFaint(mask);
}

/// Sums over the visible cells.
void addSums(HeatmapContent& map)
{
    map.rowSums.assign(static_cast<std::size_t>(map.matrix.rows), 0.0);
    map.columnSums.assign(static_cast<std::size_t>(map.matrix.columns), 0.0);
    visitVisibleCells(map, [&map](int row, int column, float value) {
        map.rowSums[static_cast<std::size_t>(row)] += double{value};
        map.columnSums[static_cast<std::size_t>(column)] += double{value};
    });
}

} // namespace

QString hiddenBy(const HeatmapMask& mask)
{
    switch (mask.kind) {
    case HeatmapMask::Kind::Causal:
        return tr("hidden by the causal mask");
    case HeatmapMask::Kind::Window:
        return tr("outside the causal window");
    case HeatmapMask::Kind::Cells:
        return tr("hidden by the mask");
    case HeatmapMask::Kind::None:
        break;
    }
    return {};
}

QStringList labelsOf(const Trace& trace, const LoadedModel& model)
{
    return labelsOf(trace.tokens(), model);
}

namespace {

/// The selected head under `choice`, and the name of its values.
MapWithLegend mapOf(const ViewSnapshot& view, const MapChoice& choice, QString& what)
{
    const GridCell head{view.selection.layer, view.selection.head};
    MapWithLegend result;
    what = wordsOf(choice.kind, choice.variant == Variant::Difference);
    if (choice.kind == MapKind::Weights) {
        takeShown(result, shownPattern(view, choice.variant, head));
        return result;
    }
    if (!isAttributed(choice.kind))
        return plainMap(view, choice.variant, choice.kind);
    const AttributedRuns runs =
        choice.attributed ? *choice.attributed : attributedRuns(view, {choice.kind, head.layer});
    what = attributedText(runs, choice.kind, choice.variant);
    takeShown(result, shownPattern(viewAt(view, runs, choice.kind), choice.variant, head));
    result.map.sink.clear(); // attributions are of keys
    result.problem = problemOf(runs);
    return result;
}

} // namespace

MapWithLegend headMap(const ViewSnapshot& view, const MapChoice& choice)
{
    const bool difference = choice.variant == Variant::Difference;
    QString what;
    MapWithLegend result = mapOf(view, choice, what);
    if (result.problem.isEmpty() && difference && view.a && view.b && result.map.matrix.isEmpty())
        result.problem = tr("A and B have different tokens, so B\u2212A is not defined.");
    else if (result.problem.isEmpty() && result.hidesTokens && result.columnTokens.empty())
        result.problem = tr("All tokens of this text are hidden. Use the Tokens menu to show "
                            "them.");
    result.map.valueName = nameOfValues(choice.kind, difference);
    result.map.scale.map = difference || choice.kind == MapKind::Scores || isSigned(choice.kind)
                               ? MapName::Balance
                               : view.colourMap;
    applyScale(result, choice.scale, result.hidesTokens ? withoutHidden(what, view) : what,
               choice.kind == MapKind::Weights || isAttributed(choice.kind));
    result.legend.swatch = swatchOf(result, view, choice.variant);
    if (choice.sums && choice.kind != MapKind::Scores)
        addSums(result.map);
    result.map.overview = overviewOf(result.map);
    markPair(result, view, choice.variant);
    return result;
}

void markPair(MapWithLegend& shown, const ViewSnapshot& view, Variant variant)
{
    const TracePtr& trace = view.trace(variant);
    shown.map.stale = view.stale;
    shown.map.queryRow.reset();
    shown.map.current.reset();
    if (!trace || shown.map.matrix.isEmpty())
        return;
    const TokenPair pair = resolve(view.selection, *trace);
    const int row = groupOf(shown.rowTokens, pair.query);
    const int column = groupOf(shown.columnTokens, pair.key);
    if (row >= 0)
        shown.map.queryRow = row;
    if (row >= 0 && column >= 0)
        shown.map.current = HeatmapCell{row, column};
}

MapWithLegend headMap(const Session& session, Variant variant, MapKind kind)
{
    return headMap(session.viewSnapshot(), MapChoice{variant, kind, MapScale::Absolute, false});
}

} // namespace headscope::ui
