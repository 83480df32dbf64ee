#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "ui/widgets/diagrams/diagram_widget.h"

namespace headscope::ui {

/// Layout of a tree's nodes: one column per level, from left to right, in the order of the parents,
/// so that no lines cross. A legend of the shapes is at the bottom.
class TreeLayout
{
public:
    TreeLayout(QRectF area, const LabTree& tree, const Theme& theme);

    const QRectF& node(std::size_t index) const { return m_nodes[index]; }

    QRectF legend() const { return m_legend; }

    /// True if there is room for a second line in each node.
    bool hasText() const { return m_hasText; }

private:
    std::vector<QRectF> m_nodes;
    QRectF m_legend;
    bool m_hasText = false;
};

/// Size needed for all nodes, with or without descriptions.
QSizeF treeSize(const LabTree& tree, const Theme& theme, bool withWords);
void paintTree(QPainter& painter, const QRectF& area, const LabTree& tree, const Theme& theme);

/// Text such as "cat, 0.41 · sum −0.89, kept, on the best path, after the".
QString describeNode(const LabTree& tree, std::size_t index);

class TreeWidget : public DiagramWidget
{
    Q_OBJECT

public:
    using DiagramWidget::DiagramWidget;

    void setContent(const LabTree& tree);

protected:
    std::vector<DiagramItem> makePlaces(const QRectF& area, const Theme& theme) const override;
    void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const override;

private:
    LabTree m_tree;
};

} // namespace headscope::ui
