#include "ui/views/legend_map.h"

#include <algorithm>

namespace headscope::ui {

LegendMap::LegendMap(QWidget* parent)
    : QWidget(parent)
    , m_map(new HeatmapWidget(this))
    , m_legend(new ColourBar(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LegendMap::setShown(MapWithLegend shown)
{
    m_legend->setContent(std::move(shown.legend));
    m_map->setContent(std::move(shown.map));
    place();
}

void LegendMap::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void LegendMap::place()
{
    constexpr int kGap = 12;
    constexpr int kKeyNumber = 22; // written below the cells
    const int gap = kGap + (m_map->options().keyNumber ? kKeyNumber : 0);
    const int legendHeight = m_legend->sizeHint().height();
    m_map->setGeometry(0, 0, width(), std::max(height() - legendHeight - kGap, 1));
    const QRectF cells = m_map->layoutNow().cells();
    constexpr int kWithSwatch = 500; // what bar and swatch need side by side
    const int wanted = m_legend->content().swatch.isEmpty() ? 280 : kWithSwatch;
    const int left = std::clamp(qRound(cells.left()), 0, std::max(width() - wanted, 0));
    const int lowest = height() - legendHeight;
    const int top = cells.isEmpty() ? lowest : std::min(qRound(cells.bottom()) + gap, lowest);
    m_legend->setGeometry(left, top, width() - left, legendHeight);
}

} // namespace headscope::ui
