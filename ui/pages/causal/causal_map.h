#pragma once

#include "ui/pages/causal/marked_map.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

namespace headscope::ui {

/// A map that outlines some of its cells.
class CausalMap : public HeatmapWidget
{
    Q_OBJECT

public:
    using HeatmapWidget::HeatmapWidget;

    void setShown(const MarkedMap& shown);

    const std::vector<bool>& marks() const { return m_marks; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<bool> m_marks;
};

} // namespace headscope::ui
