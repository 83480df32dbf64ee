#include "ui/views/map_content.h"

#include "ui/workers/patterns.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Maps", text);
}

QString hiddenBy(const HeatmapMask& mask)
{
    switch (mask.kind) {
    case HeatmapMask::Kind::Causal:
        return tr("hidden by the causal mask");
    case HeatmapMask::Kind::Window:
        return tr("outside the window");
    case HeatmapMask::Kind::Cells:
        return tr("hidden by the mask");
    case HeatmapMask::Kind::None:
        break;
    }
    return {};
}

void mark(HeatmapContent& map, const Session& session, const Trace& trace)
{
    const TokenPair pair = resolve(session.selection(), trace);
    map.rowLabels = map.columnLabels = labelsOf(trace, session.model());
    map.stale = session.isStale();
    if (pair.query >= 0)
        map.queryRow = pair.query;
    if (pair.key >= 0)
        map.current = HeatmapCell{pair.query, pair.key};
}

float largestMagnitude(const HeatmapMatrix& matrix, const HeatmapMask& mask)
{
    float largest = 0.0F;
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            if (!mask.hides({row, column}, matrix))
                largest = std::max(largest, std::abs(matrix.at({row, column})));
        }
    }
    return largest;
}

void fillWeights(MapWithLegend& result, const HeadReading& reading, MapName map)
{
    result.map.matrix = patternOf(reading.trace.find({Site::Pattern, reading.layer}), reading.head);
    result.map.scale = {map, 0.0F, 1.0F, 1.0};
    result.legend.title = scaleTitle(tr("Attention weight"), result.map.scale, false);
}

void fillScores(MapWithLegend& result, const HeadReading& reading)
{
    const auto tokens = static_cast<int>(reading.trace.tokens().size());
    result.map.matrix = HeatmapMatrix::copyOf(scoreMatrix(reading), tokens, tokens);
    const float largest = largestMagnitude(result.map.matrix, result.map.mask);
    result.map.scale = ColourScale::difference(std::max(largest, 1e-6F));
    result.legend.title = scaleTitle(tr("Score before softmax"), result.map.scale, true);
    result.legend.warn = true;
}

void fillValueWeighted(MapWithLegend& result, const HeadReading& reading, MapName map)
{
    const auto tokens = static_cast<int>(reading.trace.tokens().size());
    result.map.matrix = HeatmapMatrix::copyOf(valueWeighted(reading), tokens, tokens);
    const float largest = largestMagnitude(result.map.matrix, result.map.mask);
    result.map.scale = {map, 0.0F, std::max(largest, 1e-6F), 1.0};
    result.legend.title =
        scaleTitle(tr("Weight times length of the value"), result.map.scale, true);
    result.legend.warn = true;
}

/// Mean over rows of half the L1 distance of two patterns: 0 nothing moved, 1 all of it.
float movedWeight(const HeatmapMatrix& a, const HeatmapMatrix& b)
{
    const std::size_t cells =
        static_cast<std::size_t>(a.rows) * static_cast<std::size_t>(a.columns);
    double moved = 0.0;
    for (std::size_t cell = 0; cell < cells; ++cell)
        moved += std::abs(double{b.values.get()[cell]} - double{a.values.get()[cell]});
    return static_cast<float>(moved / (2.0 * a.rows));
}

bool areComparable(const Session& session)
{
    return session.traceA() && session.traceB() &&
           session.traceA()->tokens().size() == session.traceB()->tokens().size();
}

} // namespace

QStringList labelsOf(const Trace& trace, const LoadedModel& model)
{
    return labelsOf(trace.tokens(), model);
}

MapWithLegend headMap(const Session& session, Run run, MapKind kind)
{
    MapWithLegend result;
    const TracePtr& trace = run == Run::B ? session.traceB() : session.traceA();
    if (trace)
        result.map.mask = maskOf(*trace, session.selection().part);
    result.legend.swatch = hiddenBy(result.map.mask);
    result.map.scale.map = session.colourMap();
    result.legend.title = scaleTitle(tr("Attention weight"), result.map.scale, false);
    if (trace) {
        const HeadReading reading{*trace, session.selection().layer, session.selection().head};
        if (kind == MapKind::Weights)
            fillWeights(result, reading, session.colourMap());
        else if (kind == MapKind::Scores)
            fillScores(result, reading);
        else
            fillValueWeighted(result, reading, session.colourMap());
        mark(result.map, session, *trace);
    }
    result.legend.scale = result.map.scale;
    return result;
}

MapWithLegend differenceMap(const Session& session)
{
    MapWithLegend result;
    result.map.scale = result.legend.scale = ColourScale::difference();
    result.legend.title = scaleTitle(tr("B−A: difference"), result.map.scale, false);
    if (!areComparable(session))
        return result;
    const Selection& selection = session.selection();
    const ShownPattern shown =
        shownPattern(session.looking(), Run::Difference, {selection.layer, selection.head});
    result.map.matrix = shown.matrix;
    result.map.mask = shown.mask;
    mark(result.map, session, *session.traceA());
    return result;
}

MapWithLegend movedMap(const Session& session)
{
    MapWithLegend result;
    result.map.scale.map = session.colourMap();
    if (!areComparable(session))
        return result;
    const int layers = session.traceA()->layerCount();
    const int heads = session.traceA()->headCount();
    std::vector<float> moved(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
    for (int head = 0; head < heads; ++head) {
        for (int layer = 0; layer < layers; ++layer) {
            const TraceKey key{Site::Pattern, layer};
            moved[static_cast<std::size_t>(head * layers + layer)] =
                movedWeight(patternOf(session.traceA()->find(key), head),
                            patternOf(session.traceB()->find(key), head));
        }
    }
    const float largest = *std::max_element(moved.begin(), moved.end());
    result.map.scale.high = std::max(std::ceil(largest * 10.0F) / 10.0F, 0.1F);
    result.map.matrix = HeatmapMatrix::copyOf(std::move(moved), heads, layers);
    for (int head = 0; head < heads; ++head)
        result.map.rowLabels << QString::number(head);
    for (int layer = 0; layer < layers; ++layer)
        result.map.columnLabels << QString::number(layer);
    result.map.current = HeatmapCell{session.selection().head, session.selection().layer};
    result.legend.scale = result.map.scale;
    return result;
}

} // namespace headscope::ui
