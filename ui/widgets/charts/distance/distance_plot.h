#pragma once

#include "ui/widgets/charts/distance/distance_axes.h"
#include "ui/widgets/charts/scene/chart_plot.h"

#include <vector>

namespace headscope::ui {

/// Builds the ChartPlot of a DistanceContent: one curve per head with its number at the end, bins,
/// weights and the values at the cursor.
class DistancePlot
{
public:
    DistancePlot(const DistanceContent& content, QSizeF size, const Theme& theme);

    const ChartPlot& plot() const { return m_plot; }

private:
    bool isSubject(const DistanceCurve& curve) const { return curve.head == m_content.subject; }

    QColor hueOf(const DistanceCurve& curve) const;
    QPen penOf(const DistanceCurve& curve) const;

    void addReadout();
    void addWeights();
    void addBins();
    void addTitle();
    void addCurve(const DistanceCurve& curve);
    void addCursor();
    void addEnds();

    std::vector<int> labelledBins() const; ///< Labelled bins in ascending order.

    const DistanceContent& m_content;
    const Theme& m_theme;
    DistanceAxes m_axes;
    ChartPlot m_plot;
};

} // namespace headscope::ui
