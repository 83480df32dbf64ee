#include "ui/pages/causal/causal_map.h"

#include <QPainter>

namespace headscope::ui {

void CausalMap::setShown(const MarkedMap& shown)
{
    m_marks = shown.marks;
    setContent(shown.map);
}

void CausalMap::paintEvent(QPaintEvent* event)
{
    HeatmapWidget::paintEvent(event);
    QPainter painter(this);
    paintMarks(painter, layoutNow(), m_marks, Theme::of(*this));
}

} // namespace headscope::ui
