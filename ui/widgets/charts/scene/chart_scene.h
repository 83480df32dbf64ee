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

/// A ChartPlot rendered with Qt Charts: a QChart with its series and axes in a scene of its own,
/// plus the surrounding elements. Paints with any painter, keeps texts as texts, and caches
/// whatever did not change, so that the next plot is cheap. Lives and paints on the GUI thread;
/// needs a QApplication.
///
/// Some plots use a painter of their own: lists of rows (bars, contributions), columns without axes
/// in a line's height (a spectrum), the timeline, which is a control, and the point map, which has
/// equal scales and lines between points. Qt Charts would need an item per mark there, elides names
/// to one width, and is slower.
class ChartScene
{
public:
    ChartScene();
    ~ChartScene();

    void show(const ChartPlot& plot);

    QPointF at(QPointF place) const; ///< Converts plot coordinates to pixels of the chart.

    void paint(QPainter& painter, QRectF area);

private:
    std::unique_ptr<QGraphicsScene> m_scene;
    QChart* m_chart; ///< Owned by the scene.
    ChartTickAxis m_left;
    ChartTickAxis m_below;
    ChartTickAxis m_right;
    ChartLines m_lines;
    ChartItems m_items;
};

/// Paints once, without keeping a scene.
void paintChart(QPainter& painter, QRectF area, const ChartPlot& plot);

} // namespace headscope::ui
