#include "ui/pages/shared/figures/legend_map.h"

#include "ui/widgets/style/theme.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

LegendMap::LegendMap(QWidget* parent)
    : QWidget(parent)
    , m_map(new HeatmapWidget(this))
    , m_legend(new ColourBar(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(m_map, &HeatmapWidget::zoomChanged, this, &LegendMap::place);
}

void LegendMap::setShown(MapWithLegend shown)
{
    m_rowTokens = std::move(shown.rowTokens);
    m_columnTokens = std::move(shown.columnTokens);
    m_legend->setContent(std::move(shown.legend));
    m_map->setContent(std::move(shown.map));
    place();
}

void LegendMap::setOptions(const HeatmapOptions& options)
{
    m_map->setOptions(options);
    place();
}

void LegendMap::setLegendBeside(bool isBeside)
{
    m_isLegendBeside = isBeside;
    place();
}

TokenPair LegendMap::pairAt(HeatmapCell cell) const
{
    const auto first = [](const std::vector<std::vector<int>>& groups, int index) {
        const auto place = static_cast<std::size_t>(index);
        return index >= 0 && place < groups.size() ? groups[place].front() : index;
    };
    return {first(m_rowTokens, cell.row), first(m_columnTokens, cell.column)};
}

void LegendMap::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void LegendMap::placeBeside()
{
    constexpr int kGap = 16;
    constexpr int kBeside = 10; // from the map's labels
    const QSize legend(static_cast<int>(std::ceil(
                           colourBarLayout(width(), m_legend->content(), Theme::of(*this)).least)),
                       m_legend->sizeHint().height());
    m_map->setGeometry(0, 0, std::max(width() - legend.width() - kGap, 1), height());
    const QRectF cells = m_map->layoutNow().viewport();
    const int left = cells.isEmpty() ? 0 : qRound(m_map->layoutNow().extent().right()) + kBeside;
    const int top = std::max(qRound(cells.bottom()) - legend.height(), 0);
    m_legend->setGeometry(left, top, width() - left, legend.height());
}

void LegendMap::place()
{
    if (m_isLegendBeside)
        return placeBeside();
    constexpr int kGap = 12;
    constexpr int kBelow = 9; // from the outline of the cells, their numbers and sums
    const int legendHeight = m_legend->sizeHint().height();
    m_map->setGeometry(0, 0, width(), std::max(height() - legendHeight - kGap, 1));
    const QRectF cells = m_map->layoutNow().viewport();
    const double least = colourBarLayout(width(), m_legend->content(), Theme::of(*this)).least;
    const int wanted = static_cast<int>(std::ceil(least));
    const int left = std::clamp(qRound(cells.left()), 0, std::max(width() - wanted, 0));
    const int lowest = height() - legendHeight;
    const double drawn = m_map->layoutNow().extent().bottom();
    const int top = cells.isEmpty() ? lowest : std::min(qRound(drawn) + kBelow, lowest);
    m_legend->setGeometry(left, top, width() - left, legendHeight);
}

} // namespace headscope::ui
