#include "ui/views/legend_map.h"

#include "ui/widgets/theme.h"

#include <QFontMetrics>

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

int LegendMap::legendWidth() const
{
    constexpr int kBar = 280;
    constexpr int kBeforeText =
        48 + 16 + 8 + 4; // gap, square, gap, and a little air after the text
    const QString& swatch = m_legend->content().swatch;
    const QFontMetrics metrics(Theme::of(*this).font(TextRole::Caption));
    return swatch.isEmpty() ? kBar : kBar + kBeforeText + metrics.horizontalAdvance(swatch);
}

void LegendMap::place()
{
    constexpr int kGap = 12;
    constexpr int kKeyNumber = 22; // written below the cells
    const int gap = kGap + (m_map->options().keyNumber ? kKeyNumber : 0);
    const int legendHeight = m_legend->sizeHint().height();
    m_map->setGeometry(0, 0, width(), std::max(height() - legendHeight - kGap, 1));
    const QRectF cells = m_map->layoutNow().cells();
    const int wanted = legendWidth();
    const int left = std::clamp(qRound(cells.left()), 0, std::max(width() - wanted, 0));
    const int lowest = height() - legendHeight;
    const int top = cells.isEmpty() ? lowest : std::min(qRound(cells.bottom()) + gap, lowest);
    m_legend->setGeometry(left, top, width() - left, legendHeight);
}

} // namespace headscope::ui
