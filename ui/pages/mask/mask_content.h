#pragma once

#include "ui/session/looking.h"
#include "ui/widgets/heatmap/heatmap_layout.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// The mask of one run, as a map of allowed cells; empty without such a run.
HeatmapContent maskOfVariant(const Looking& looking, Variant variant);

/// How many keys every row may see.
std::vector<int> visibleKeys(const HeatmapContent& content);

/// What another mask takes from the active head, by the weights that A has.
struct MaskEffect
{
    long long closed = 0; ///< cells that A may see and the other mask hides
    long long opened = 0; ///< the other way round
    double removed = 0.0; ///< mean over rows of A's weight on closed cells
    double most = 0.0;    ///< the largest of the rows
    int mostRow = -1;
    std::optional<double> gained; ///< mean over rows of B's weight on opened cells, when B ran
};

/// `b`: the pattern of a run under `other`, or an empty matrix.
MaskEffect maskEffect(const HeatmapMatrix& a, const HeatmapMask& own, const HeatmapMask& other,
                      const HeatmapMatrix& b = {});

/// "takes 0.412 of a row's weight away, most from “it” (0.830)"; "opens 45 pairs".
QString effectWords(const MaskEffect& effect, const QStringList& rows);

/// A change of the mask as cells; nullopt for painted ones, which only B's run knows.
std::optional<HeatmapMask> cellsOf(const MaskChange& change, const HeatmapMask& asTrained);

/// Numbers beside the rows of a map, where rows are high enough; every few rows otherwise.
void paintRowCounts(QPainter& painter, const HeatmapLayout& layout, const std::vector<int>& counts,
                    const Theme& theme);

} // namespace headscope::ui
