#include "ui/pages/attribution/attribution_inputs_panel.h"

#include "ui/pages/attribution/attribution_content.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

namespace {

constexpr int kMapHeight = 112;

} // namespace

AttributionInputsPanel::AttributionInputsPanel(QWidget* parent)
    : QWidget(parent)
    , m_map(new HeatmapWidget(this))
    , m_note(caption({}, this))
{
    setUpMap();
    m_note->setObjectName("inputsNote");
    m_note->setWordWrap(true);
    auto* above = rowOf(
        12, {heading(tr("Attribution to input tokens"), this), {m_note, 1, Qt::AlignVCenter}});
    columnOf(8, {above, m_map}, this);
}

void AttributionInputsPanel::setUpMap()
{
    m_map->setObjectName("inputs");
    m_map->setFixedHeight(kMapHeight);
    m_map->setAccessibleName(tr("Attribution of the input tokens"));
    m_map->setToolTip(tr("Each row is coloured up to its own largest value"));
    HeatmapOptions flat;
    flat.square = false;
    flat.corner = false;
    flat.decimals = 2;
    m_map->setOptions(flat);
    connect(m_map, &HeatmapWidget::cellActivated, m_map, &HeatmapWidget::setCurrentCell);
}

void AttributionInputsPanel::setContent(const AttributionContent& content, bool isComplete)
{
    m_map->setContent(content.inputs);
    m_map->setVisible(!content.inputs.matrix.isEmpty());
    setVisible(!content.rows.empty());
    if (isComplete)
        m_note->setText(content.inputsNote);
}

void AttributionInputsPanel::showProgress(double fraction)
{
    m_note->setText(tr("Computing gradients: %1 %").arg(number(100.0 * fraction, 0)));
}

} // namespace headscope::ui
