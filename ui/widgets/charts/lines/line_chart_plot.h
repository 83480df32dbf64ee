#pragma once

#include "ui/widgets/charts/lines/line_chart_axes.h"
#include "ui/widgets/charts/scene/chart_plot.h"

#include <vector>

class QPainter;

namespace headscope::ui {

/// Builds the ChartPlot of a LineChartContent: curves at screen resolution, their names at their
/// ends, numbers, marks and the values at the cursor.
class LineChartPlot
{
public:
    LineChartPlot(const LineChartContent& content, QSizeF size, const Theme& theme);

    const ChartPlot& plot() const { return m_plot; }

private:
    /// A curve in plot coordinates.
    struct Traced
    {
        const LineChartCurve* curve = nullptr;
        std::vector<QList<QPointF>> stretches; ///< Stretches of finite values, none empty.
        QList<QPointF> raw;
    };

    Traced traced(const LineChartCurve& curve) const;
    QList<QPointF> places(std::vector<QPointF> points, double penWidth) const;
    QPointF pixels(QPointF place) const;
    QString endingOf(const LineChartCurve& curve) const;

    void addHeader();
    void addTicks();
    void addBands();
    void addRaw();
    void addVertical(double x, QPen pen);
    void addMarks();
    void addCurve(const Traced& traced);
    void addCursor();
    void addEnds();
    void addPerplexities();
    void addNotes();
    void addText(const QRectF& area, Qt::Alignment alignment, const QFont& font,
                 const QColor& colour, const QString& text);

    const LineChartContent& m_content;
    const Theme& m_theme;
    LineChartAxes m_axes;
    std::vector<Traced> m_curves;
    std::vector<QRectF> m_taken; ///< Areas taken by the names at the ends.
    ChartPlot m_plot;
};

/// Paints a chart once, on the GUI thread. For repeated painting keep a ChartScene.
void paintLineChart(QPainter& painter, const QRectF& area, const LineChartContent& content,
                    const Theme& theme);

} // namespace headscope::ui
