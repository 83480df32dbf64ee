#pragma once

#include "ui/widgets/charts/scene/chart_axis.h"
#include "ui/widgets/charts/scene/chart_plot.h"
#include "ui/widgets/style/theme.h"

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

struct ScatterPoint
{
    QString name; ///< Name such as "2.3".
    double x = 0.0;
    double y = 0.0;

    bool isFinite() const;
};

/// Scatter plot of two quantities. Points that are not finite are omitted.
struct ScatterContent
{
    QString xName;
    QString yName;
    std::vector<ScatterPoint> points;
    std::optional<int> current;
    int named = 3; ///< Number of points with the largest y that are labelled.
};

/// Builds the ChartPlot of a ScatterContent and gives the positions of its points.
class ScatterPlot
{
public:
    static constexpr double kRadius = 4.0; ///< Radius of a point in pixels.

    /// References `content` and `theme`, which must outlive it.
    ScatterPlot(const ScatterContent& content, QSizeF size, const Theme& theme);

    QPointF at(const ScatterPoint& point) const; ///< Position in pixels of the chart.

    ChartPlot plot() const;

private:
    void addAxes(ChartPlot& plot) const;
    void addPoint(ChartPlot& plot, const ScatterPoint& point, bool isCurrent, bool isNamed) const;
    std::vector<bool> namedPoints() const;

    const ScatterContent& m_content;
    const Theme& m_theme;
    QSizeF m_size;
    QRectF m_area;
    ChartAxis m_x, m_y;
};

void paintScatter(QPainter& painter, const QRectF& area, const ScatterContent& content,
                  const Theme& theme);

} // namespace headscope::ui
