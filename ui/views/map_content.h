#pragma once

#include "ui/session/session.h"
#include "ui/views/readings.h"
#include "ui/views/shown_pattern.h"
#include "ui/widgets/colour_bar.h"
#include "ui/widgets/heatmap.h"

namespace headscope::ui {

/// What the cells of a large map stand for.
enum class MapKind { Weights, Scores, ValueWeighted };

/// A map and the legend that belongs to it.
struct MapWithLegend
{
    HeatmapContent map;
    ColourBarContent legend;
};

/// Readable tokens of a trace, as labels.
QStringList labelsOf(const Trace& trace, const LoadedModel& model);

/// The active head of run A or B; empty while there is no such run.
MapWithLegend headMap(const Session& session, Run run, MapKind kind);

/// B - A of the active head on the fixed scale -1 to +1; cells that both runs hide are masked.
MapWithLegend differenceMap(const Session& session);

/// Weight moved per row, mean over the rows: half the sum of |B - A|. Heads down, layers across.
MapWithLegend movedMap(const Session& session);

} // namespace headscope::ui
