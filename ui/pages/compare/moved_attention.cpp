#include "ui/pages/compare/moved_attention.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

MovedAttention::MovedAttention(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_title(paragraph({}, TextRole::Caption, TextLabel::Tone::Text3, this))
    , m_map(new HeatmapWidget(this))
{
    m_map->setAccessibleName(tr("Divergence of A and B: heads down, layers across"));
    HeatmapOptions options;
    options.corner = false;
    options.square = false; // few layers fill the width too
    options.decimals = 2;
    m_map->setOptions(options);
    auto* words =
        columnOf(4, {heading(tr("Where attention differs"), this), m_title, Placed::space()});
    rowOf(24, {{words, 1}, {m_map, 2}}, this);
    connect(m_map, &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { m_session.view().activateHead(cell.column, cell.row); });
}

void MovedAttention::setMapHeight(int pixels)
{
    m_map->setFixedHeight(pixels);
}

void MovedAttention::refresh(const ViewSnapshot& view, const Comparison& comparison)
{
    m_map->setContent(m_session.text().isEmpty() ? HeatmapContent()
                                                 : divergenceContent(view, comparison));
    m_title->setText(comparison.lines.empty() ? QString()
                     : comparison.divergence.isEmpty()
                         ? tr("A and B have different numbers of layers or heads.")
                         : tr("weight moved between aligned tokens, 0\u00A0to\u00A01; heads "
                              "down, layers across"));
}

} // namespace headscope::ui
