#include "ui/pages/inspector/shown_pair.h"

#include <algorithm>
#include <numeric>

namespace headscope::ui {

bool ShownPair::isShown() const
{
    return pattern.matrix.contains(cell) && !pattern.isFaint(cell.row);
}

std::vector<int> ShownPair::queries() const
{
    return isShown() ? pattern.rowTokens[static_cast<std::size_t>(cell.row)] : std::vector<int>();
}

std::vector<int> ShownPair::keys() const
{
    return isShown() ? pattern.columnTokens[static_cast<std::size_t>(cell.column)]
                     : std::vector<int>();
}

bool ShownPair::isMerged() const
{
    return (isShown() && pattern.renormalised) || queries().size() > 1 || keys().size() > 1;
}

std::vector<int> ShownPair::strongestColumns() const
{
    std::vector<int> columns(static_cast<std::size_t>(pattern.matrix.columns));
    std::iota(columns.begin(), columns.end(), 0);
    std::stable_sort(columns.begin(), columns.end(), [this](int a, int b) {
        return pattern.matrix.at({cell.row, a}) > pattern.matrix.at({cell.row, b});
    });
    return columns;
}

ShownPair shownPair(const ViewSnapshot& view, const TokenPair& pair)
{
    const Variant variant = view.shown == Variant::A || !view.b ? Variant::A : Variant::B;
    const GridCell head{view.selection.layer, view.selection.head};
    ShownPair shown{shownPattern(view, variant, head), {}};
    shown.cell = {shown.pattern.rowOf(pair.query), shown.pattern.columnOf(pair.key)};
    if (shown.isShown() || view.display == TokenDisplay())
        return shown;
    ViewSnapshot plain = view;
    plain.display = {};
    return shownPair(plain, pair);
}

} // namespace headscope::ui
