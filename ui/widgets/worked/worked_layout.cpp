#include "ui/widgets/worked/worked_layout.h"

#include "ui/widgets/charts/bars/fraction_bar.h"
#include "ui/widgets/worked/finished_matrices.h"
#include "ui/widgets/worked/large_matrices.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kBus = 18.0;     // below the cells: lines to the result
constexpr double kBetween = 10.0; // between parts, from top to bottom

} // namespace

/// Parts to place, from top to bottom.
struct WorkedLayout::Parts
{
    FinishedMatrices small;
    LargeMatrices& large;
    bool hasFractionBar = true;
    bool isTiny = false; ///< Large matrices may use any type size.
};

WorkedLayout::WorkedLayout(QRectF area, const WorkedDiagram& diagram, const Theme& theme)
    : m_area(area)
{
    if (diagram.isEmpty())
        return;
    WorkedDiagram whole = diagram; // a complete example, so that nothing moves while cells fill
    whole.done = diagram.example->steps.size();
    whole.isAsking = false;
    m_equation = WorkedEquation(diagram, area.width(), theme);
    const FinishedMatrices finished(
        whole, diagram.showsEarlier ? diagram.finishedMatrices() : std::vector<int>(), theme);
    LargeMatrices large(whole, diagram.largeMatrices(), theme);
    const bool fractions = hasFractionBar(diagram);
    const std::array<std::pair<bool, bool>, 4> choices{
        {{true, fractions}, {false, fractions}, {true, false}, {false, false}}};
    for (const auto& [withSmall, withFractions] : choices) {
        m_fits =
            m_fits ||
            place(area, {withSmall ? finished : FinishedMatrices(), large, withFractions}, theme);
    }
    const Parts largeAlone{{}, large, false, true};
    m_fits = m_fits || place(area, largeAlone, theme);
    if (!m_fits) { // better cut off at the bottom than not shown
        constexpr double kEndless = 1e4;
        area.setHeight(kEndless);
        place(area, largeAlone, theme);
    }
    m_large = large.blocks();
    m_signs = large.signs();
}

bool WorkedLayout::place(QRectF area, Parts parts, const Theme& theme)
{
    const double scale = theme.scale();
    const double between = kBetween * scale;
    const bool hasSmall = !parts.small.blocks().empty();
    const double above = hasSmall ? parts.small.height() + 2.0 * between + 8.0 * scale : 0.0;
    const double fraction = parts.hasFractionBar ? fractionBarHeight(theme) + between : 0.0;
    const QRectF room = area.adjusted(0.0, above, 0.0, -(m_equation.height() + between + fraction));
    if (!parts.large.place(room) && !(parts.isTiny && parts.large.placeTiny(room)))
        return false;
    parts.small.place(area);
    m_small = parts.small.blocks();
    m_hairline = m_small.empty() ? 0.0 : area.y() + parts.small.height() + between + 4.0 * scale;
    const std::vector<WorkedBlock>& large = parts.large.blocks();
    const double left = large.empty() ? area.x() : large.front().cells.x();
    m_equation.place({left, parts.large.bottom() + kBus * scale}, area.right());
    const QRectF& last = m_equation.general;
    m_fractionBar = parts.hasFractionBar
                        ? QRectF(last.x(), last.bottom() + between,
                                 area.right() - last.x() - 24.0 * scale, fractionBarHeight(theme))
                        : QRectF();
    m_height = (parts.hasFractionBar ? m_fractionBar.bottom() : last.bottom()) - area.y();
    return true;
}

const WorkedBlock* WorkedLayout::block(int matrix) const
{
    for (const auto* blocks : {&m_large, &m_small})
        for (const WorkedBlock& block : *blocks)
            if (block.matrix == matrix)
                return &block;
    return nullptr;
}

QRectF WorkedLayout::cellRect(CellAddress cell) const
{
    const WorkedBlock* of = block(cell.matrix);
    return of ? of->cell(cell.row, cell.column) : QRectF();
}

std::optional<CellAddress> WorkedLayout::cellAt(QPointF position) const
{
    for (const auto* blocks : {&m_large, &m_small})
        for (const WorkedBlock& block : *blocks) {
            if (!block.cells.contains(position) || block.rows == 0 || block.columns == 0)
                continue;
            const QPointF inside = position - block.cells.topLeft();
            const int row = static_cast<int>(inside.y() * block.rows / block.cells.height());
            const int column = static_cast<int>(inside.x() * block.columns / block.cells.width());
            return CellAddress{block.matrix, std::min(row, block.rows - 1),
                               std::min(column, block.columns - 1)};
        }
    return std::nullopt;
}

} // namespace headscope::ui
