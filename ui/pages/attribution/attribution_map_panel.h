#pragma once

#include "ui/pages/attribution/attribution_content.h"

#include <QWidget>

namespace headscope::ui {

class ColourBar;
class HeatmapWidget;
class LineChart;

/// Contributions to a logit by head and layer, and their running sum through the layers.
class AttributionMapPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AttributionMapPanel(QWidget* parent = nullptr);

    HeatmapWidget& map() const { return *m_map; }

    void setContent(const AttributionContent& content);

signals:
    void headChosen(const headscope::LogitHead& head);
    void headOpened(); ///< Emitted for the selected head.

private:
    void setUpMap();

    QWidget* m_title;
    HeatmapWidget* m_map;
    ColourBar* m_legend;
    LineChart* m_course;
    /// Head of each map cell; none: the MLP.
    std::vector<std::vector<std::optional<LogitHead>>> m_heads;
};

} // namespace headscope::ui
