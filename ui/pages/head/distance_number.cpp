#include "ui/pages/head/distance_number.h"

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <cstdlib>

namespace headscope::ui {

namespace {

constexpr int kMostCells = 40'000; ///< the most operands that a list can hold

struct Shown
{
    Variant variant = Variant::A;
    ShownPattern pattern;

    bool isUsable() const
    {
        return !pattern.matrix.isEmpty() && pattern.matrix.rows == pattern.matrix.columns &&
               pattern.matrix.rows * pattern.matrix.columns <= kMostCells;
    }
};

Shown shownOf(const ViewSnapshot& view, GridCell head)
{
    const Variant variant = variantOf(view);
    return {variant, view.trace(variant) ? shownPattern(view, variant, head) : ShownPattern()};
}

} // namespace

MaybeNumber distanceNumber(const ViewSnapshot& view, int head, const DistanceBin& bin)
{
    const GridCell index{view.selection.layer, head};
    const Shown shown = shownOf(view, index);
    if (!shown.isUsable())
        return std::nullopt;
    std::vector<NumberRef> cells;
    for (int query = 0; query < shown.pattern.matrix.rows; ++query)
        for (int distance = bin.first; distance <= bin.last; ++distance)
            if (auto cell = weightNumber(view, shown.pattern, index, {query, query - distance}))
                cells.push_back(std::move(*cell));
    if (cells.empty())
        return std::nullopt;
    const double fraction = 1.0 / static_cast<double>(cells.size());
    return ShownNumber{sumNumber(tr("mean weight of head %1.%2 at distance %3")
                                     .arg(index.layer)
                                     .arg(head)
                                     .arg(binLabel(bin)),
                                 std::move(cells), fraction),
                       shown.variant};
}

MaybeNumber meanDistanceNumber(const ViewSnapshot& view, GridCell head)
{
    const Shown shown = shownOf(view, head);
    if (!shown.isUsable())
        return std::nullopt;
    std::vector<NumberRef> parts;
    std::vector<NumberRef> over;
    const HeatmapMatrix& matrix = shown.pattern.matrix;
    for (int query = 0; query < matrix.rows; ++query) {
        for (int key = 0; key < matrix.columns; ++key) {
            if (matrix.at({query, key}) == 0.0F)
                continue;
            auto cell = weightNumber(view, shown.pattern, head, {query, key});
            over.push_back(*cell);
            parts.push_back(
                productNumber(tr("weight %1 \u2192 %2 times its distance").arg(query).arg(key),
                              {std::move(*cell)}, std::abs(query - key)));
        }
    }
    return ShownNumber{sumNumber(tr("mean distance of head %1.%2").arg(head.layer).arg(head.head),
                                 std::move(parts), 1.0, std::move(over)),
                       shown.variant};
}

} // namespace headscope::ui
