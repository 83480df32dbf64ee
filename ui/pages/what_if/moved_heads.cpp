#include "ui/pages/what_if/moved_heads.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/session/session.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <utility>

namespace headscope::ui {

MovedHeads::MovedHeads(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_scale(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text3, this))
    , m_map(new HeatmapWidget(this))
{
    m_map->setAccessibleName(tr("Divergence of B: heads down, layers across"));
    HeatmapOptions options;
    options.corner = false;
    options.numbers = false;
    options.largestCell = 18.0;
    m_map->setOptions(options);
    m_map->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* line = rowOf(8, {heading(tr("Where B differs"), this), {m_scale, 1}});
    columnOf(4, {line, m_map, Placed::space()}, this);
    connect(m_map, &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { m_session.view().activateHead(cell.column, cell.row); });
    connect(&m_meter, &EffectMeter::measured, this, &MovedHeads::refresh);
}

void MovedHeads::measure(const ViewSnapshot& view)
{
    m_meter.measure(view);
    refresh();
}

void MovedHeads::setMapHeight(int pixels)
{
    m_map->setFixedHeight(pixels);
}

void MovedHeads::refresh()
{
    HeatmapContent moved = movedContent(m_session.viewSnapshot(), m_meter.effect());
    m_scale->setText(tr("weight moved per row, 0 to %1").arg(number(double{moved.scale.high}, 1)));
    m_scale->setVisible(!moved.matrix.isEmpty());
    m_map->setContent(std::move(moved));
}

} // namespace headscope::ui
