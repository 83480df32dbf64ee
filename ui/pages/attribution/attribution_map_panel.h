#pragma once

#include "ui/pages/attribution/attribution_content.h"

#include <QWidget>

namespace headscope::ui {

class ColourBar;
class HeatmapWidget;
class LineChart;

/// The parts of a logit by head and layer, and their sum through the layers.
class AttributionMapPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AttributionMapPanel(QWidget* parent = nullptr);

    HeatmapWidget& map() const { return *m_map; }

    void setContent(const AttributionContent& content);

signals:
    void headChosen(const headscope::LogitHead& head);
    void headOpened(); ///< The chosen one.

private:
    void setUpMap();

    QWidget* m_title;
    HeatmapWidget* m_map;
    ColourBar* m_legend;
    LineChart* m_course;
    std::vector<std::vector<std::optional<LogitHead>>> m_heads; ///< Of the map's cells.
};

} // namespace headscope::ui
