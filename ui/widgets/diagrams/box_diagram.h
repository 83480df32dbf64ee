#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "ui/widgets/diagrams/diagram_widget.h"

namespace headscope::ui {

/// Layout of a diagram's boxes: columns from left to right, levels from the bottom up.
class BoxDiagramLayout
{
public:
    BoxDiagramLayout(QRectF area, const LabDiagram& diagram, const Theme& theme);

    const QRectF& box(std::size_t index) const { return m_boxes[index]; }

    /// True if there is room for the descriptions beneath the labels.
    bool hasText() const { return m_hasText; }

    double columnGap() const { return m_gap; }

private:
    std::vector<QRectF> m_boxes;
    double m_gap = 0.0;
    bool m_hasText = true;
};

QSizeF boxDiagramSize(const LabDiagram& diagram, const Theme& theme, bool withWords);
void paintBoxDiagram(QPainter& painter, const QRectF& area, const LabDiagram& diagram,
                     const Theme& theme);

/// Text such as "Add and norm, [n, 512], from Attention, Embedding, to Feed-forward".
QString describeBox(const LabDiagram& diagram, std::size_t index);

class BoxDiagram : public DiagramWidget
{
    Q_OBJECT

public:
    using DiagramWidget::DiagramWidget;

    void setContent(const LabDiagram& diagram);

protected:
    std::vector<DiagramItem> makePlaces(const QRectF& area, const Theme& theme) const override;
    void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const override;

private:
    LabDiagram m_diagram;
};

} // namespace headscope::ui
