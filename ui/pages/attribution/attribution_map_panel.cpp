#include "ui/pages/attribution/attribution_map_panel.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/style/colour_bar.h"

#include <initializer_list>

namespace headscope::ui {

namespace {

constexpr int kLeastMap = 80; // Minimum map height (px) that fits a window of 700 pixels.
constexpr int kLeastCourse = 100;

} // namespace

AttributionMapPanel::AttributionMapPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(heading(tr("Heads and MLPs by layer"), this))
    , m_map(new HeatmapWidget(this))
    , m_legend(new ColourBar(this))
    , m_course(new LineChart(tr("Running sum of contributions through the layers"), this))
{
    setUpMap();
    m_course->setMinimumHeight(kLeastCourse);
    columnOf(8, {m_title, {m_map, 1}, m_legend, {m_course, 1}}, this);
    connect(m_map, &HeatmapWidget::cellActivated, this, [this](HeatmapCell cell) {
        const auto& row = m_heads[static_cast<std::size_t>(cell.row)];
        if (const auto& head = row[static_cast<std::size_t>(cell.column)])
            emit headChosen(*head);
    });
    connect(m_map, &HeatmapWidget::cellOpened, this, [this] { emit headOpened(); });
}

void AttributionMapPanel::setUpMap()
{
    m_map->setAccessibleName(tr("Contributions to the logit by head and layer"));
    HeatmapOptions options;
    options.corner = false;
    options.square = false;
    options.decimals = 1;
    m_map->setOptions(options);
    m_map->setMinimumHeight(kLeastMap);
}

void AttributionMapPanel::setContent(const AttributionContent& content)
{
    m_heads = content.mapHeads;
    m_map->setContent(content.map);
    ColourBarContent legend;
    legend.scale = content.map.scale;
    legend.title = tr("Contribution to the logit, scaled to the largest shown");
    m_legend->setContent(legend);
    m_course->setContent(content.course);
    const bool shown = !content.rows.empty() && !content.map.matrix.isEmpty();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_map, m_legend, m_course})
        widget->setVisible(shown);
}

} // namespace headscope::ui
