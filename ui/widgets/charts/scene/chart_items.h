#pragma once

#include "ui/widgets/charts/scene/chart_plot.h"

#include <functional>
#include <memory>
#include <vector>

class QGraphicsItem;
class QGraphicsScene;

namespace headscope::ui {

/// What Qt Charts has no words for: boxes, dots and texts around a chart of the same scene.
class ChartItems
{
public:
    explicit ChartItems(QGraphicsScene& scene); ///< outlives this
    ~ChartItems();

    /// `pixels` is where the chart shows a place.
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
