#pragma once

#include "ui/pages/shared/maps/map_kind.h"
#include "ui/pages/shared/maps/readings.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/session.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/colour_bar.h"

namespace headscope::ui {

struct AttributedRuns;

/// Which range the colours span. The legend says it in words.
enum class MapScale { Absolute, PerHead, PerRow, Log, Percentile };

/// A map and the legend that belongs to it.
struct MapWithLegend
{
    HeatmapContent map;
    ColourBarContent legend;
    std::vector<std::vector<int>> rowTokens; ///< the tokens that each row stands for, rising
    std::vector<std::vector<int>> columnTokens;
    bool renormalised = false;  ///< tokens are hidden, and rows divided by what is left
    double hiddenMass = 0.0;    ///< share of the attention left out with them
    std::vector<int> faintRows; ///< masked: too little of them is left
    QString problem;            ///< why there is nothing to show, one sentence; else empty
};

/// How a large map is to be drawn.
struct MapChoice
{
    Variant variant = Variant::A;
    MapKind kind = MapKind::Weights;
    MapScale scale = MapScale::Absolute;
    bool sums = false;                          ///< rows and columns with their sums
    const AttributedRuns* attributed = nullptr; ///< for kinds that need them; null: made at once
};

/// The selected head.
MapWithLegend headMap(const Looking& looking, const MapChoice& choice);

/// Its values in colours: shades and the legend's title and ticks, by the map's own values. Scores
/// and value-weighted maps (`bounded` false) have no fixed scale; theirs is the head's.
void applyScale(MapWithLegend& shown, MapScale scale, const QString& what, bool bounded);

/// What a legend's swatch says: "hidden by the causal mask"; empty without a mask.
QString hiddenBy(const HeatmapMask& mask);

/// Readable tokens of a trace, as labels.
QStringList labelsOf(const Trace& trace, const LoadedModel& model);

/// The active head of run A or B; empty while there is no such run.
MapWithLegend headMap(const Session& session, Variant variant, MapKind kind);

} // namespace headscope::ui
