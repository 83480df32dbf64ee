#pragma once

#include "ui/widgets/charts/scene/chart_plot.h"

#include <functional>
#include <memory>
#include <vector>

class QGraphicsItem;
class QGraphicsScene;

namespace headscope::ui {

/// Elements that Qt Charts lacks: boxes, dots and texts in the scene of a chart.
class ChartItems
{
public:
    explicit ChartItems(QGraphicsScene& scene); ///< References `scene`, which must outlive it.
    ~ChartItems();

    /// Shows the elements of `plot`; `pixels` maps plot coordinates to pixels.
    void show(const ChartPlot& plot, const std::function<QPointF(QPointF)>& pixels);

private:
    void add(std::unique_ptr<QGraphicsItem> item, double height);
    void addBox(const ChartBox& box, double height);
    void addDot(const ChartDot& dot, QPointF centre);
    void addText(const ChartText& text);

    QGraphicsScene& m_scene;
    std::vector<std::unique_ptr<QGraphicsItem>> m_items;
};

} // namespace headscope::ui
