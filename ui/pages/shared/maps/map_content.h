#pragma once

#include "ui/pages/shared/maps/map_kind.h"
#include "ui/pages/shared/maps/readings.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/session.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/colour_bar.h"

namespace headscope::ui {

struct AttributedRuns;

/// Range of the colour scale. The legend describes it.
enum class MapScale { Absolute, PerHead, PerRow, Log, Percentile };

/// A map with its legend.
struct MapWithLegend
{
    HeatmapContent map;
    ColourBarContent legend;
    std::vector<std::vector<int>> rowTokens; ///< Tokens of each row, ascending.
    std::vector<std::vector<int>> columnTokens;
    bool hidesTokens = false;   ///< Whether tokens are hidden.
    bool renormalised = false;  ///< Whether rows are renormalised for them.
    double hiddenMass = 0.0;    ///< Fraction of the attention hidden with them.
    std::vector<int> faintRows; ///< Masked rows that keep too little attention.
    QString problem;            ///< Why there is nothing to show, one sentence; empty otherwise.
};

/// Options of a large map.
struct MapChoice
{
    Variant variant = Variant::A;
    MapKind kind = MapKind::Weights;
    MapScale scale = MapScale::Absolute;
    bool sums = false; ///< Whether row and column sums are shown.
    /// For kinds that need them; null: computed at once.
    const AttributedRuns* attributed = nullptr;
};

/// Map of the selected head. Depends on nothing but its arguments, so any thread may make it.
MapWithLegend headMap(const ViewSnapshot& view, const MapChoice& choice);

/// Marks the selected pair, in a map of the variant, and whether the text has changed since.
void markPair(MapWithLegend& shown, const ViewSnapshot& view, Variant variant);

/// Colours of its values: shades and the legend's title and ticks. Scores and value-weighted maps
/// (`bounded` false) have no fixed scale; theirs is the head's.
void applyScale(MapWithLegend& shown, MapScale scale, const QString& what, bool bounded);

/// Label of the legend's swatch: "hidden by the causal mask"; empty without a mask.
QString hiddenBy(const HeatmapMask& mask);

/// Displayed texts of a trace's tokens, as labels.
QStringList labelsOf(const Trace& trace, const LoadedModel& model);

/// Active head of variant A or B; empty without such a trace.
MapWithLegend headMap(const Session& session, Variant variant, MapKind kind);

} // namespace headscope::ui
