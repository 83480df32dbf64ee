#pragma once

#include "ui/widgets/charts/scene/chart_items.h"
#include "ui/widgets/charts/scene/chart_lines.h"
#include "ui/widgets/charts/scene/chart_tick_axis.h"

#include <QRectF>

#include <memory>

class QChart;
class QGraphicsScene;
class QPainter;

namespace headscope::ui {

/// A ChartPlot on Qt Charts: a QChart with its series and axes in a scene of its own, and whatever
/// surrounds them. It paints into any painter, texts as texts, and keeps what did not change, so
/// that the next plot costs little. Lives and paints on the GUI thread; needs a QApplication.
///
/// What keeps a painter of its own: lists of rows (bars, shares), columns without axes in the height
/// of a line (a spectrum), the timeline, which is a control, and the point map, whose plane has one
/// scale for both directions and lines between its points. Qt Charts has an item a mark there,
/// elides names to one width, and moves slower.
class ChartScene
{
public:
    ChartScene();
    ~ChartScene();

    void show(const ChartPlot& plot);

    QRectF plotArea() const;

    QPointF at(QPointF place) const;       ///< a place of the plot in pixels of the chart
    QPointF placeAt(QPointF pixels) const; ///< the other way

    void paint(QPainter& painter, QRectF area);

private:
    std::unique_ptr<QGraphicsScene> m_scene;
    QChart* m_chart; ///< the scene's
    ChartTickAxis m_left;
    ChartTickAxis m_below;
    ChartTickAxis m_right;
    ChartLines m_lines;
    ChartItems m_items;
};

/// Paints once, without keeping a scene.
void paintChart(QPainter& painter, QRectF area, const ChartPlot& plot);

} // namespace headscope::ui
