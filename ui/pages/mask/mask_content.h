#pragma once

#include "ui/session/view_snapshot.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/heatmap/heatmap_layout.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// Mask of one variant as a map of visible cells; empty without a trace.
HeatmapContent maskOfVariant(const ViewSnapshot& view, Variant variant);

/// Number of visible keys of each row.
std::vector<int> visibleKeys(const HeatmapContent& content);

/// Pairs that a mask lets a head compute: its cost is proportional to them.
struct MaskCost
{
    long long visible = 0;
    long long all = 0;
};

MaskCost maskCost(const HeatmapContent& content);

/// Text such as "91 of 169 pairs: 54 % of the cost of full attention".
QString costText(const MaskCost& cost);

/// Visible keys as bars, at most `most` queries at equal distances.
std::vector<Bar> visibleKeyBars(const HeatmapContent& content, int most);

/// Effect of another mask on the active head, by A's weights.
struct MaskEffect
{
    long long closed = 0; ///< Cells visible in A and hidden by the other mask.
    long long opened = 0; ///< Cells hidden in A and visible in the other mask.
    double removed = 0.0; ///< Mean over rows of A's weight on hidden cells.
    double most = 0.0;    ///< The largest of the rows.
    int mostRow = -1;
    /// Mean over rows of B's weight on opened cells, when B is available.
    std::optional<double> gained;
};

/// Effect of mask `other`; `b`: the pattern under `other`, or an empty matrix.
MaskEffect maskEffect(const HeatmapMatrix& a, const HeatmapMask& own, const HeatmapMask& other,
                      const HeatmapMatrix& b = {});

/// Effect text: "removes 0.412 of a row's weight, most from “it” (0.830)"; "opens 45 pairs".
QString effectText(const MaskEffect& effect, const QStringList& rows);

/// Mask change as cells; nullopt for painted ones, which only B's trace contains.
std::optional<HeatmapMask> cellsOf(const MaskChange& change, const HeatmapMask& asTrained);

/// Numbers beside the rows of a map, where rows are high enough; otherwise every few rows.
void paintRowCounts(QPainter& painter, const HeatmapLayout& layout, const std::vector<int>& counts,
                    const Theme& theme);

} // namespace headscope::ui
