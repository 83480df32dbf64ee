#pragma once

#include "ui/pages/shared/maps/map_content.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

namespace headscope::ui {

/// A heatmap with its colour bar directly below the cells.
class LegendMap : public QWidget
{
    Q_OBJECT

public:
    explicit LegendMap(QWidget* parent = nullptr);

    void setShown(MapWithLegend shown);
    void setOptions(const HeatmapOptions& options);
    /// Sets whether the colour bar is to the right of the cells, for low maps.
    void setLegendBeside(bool isBeside);

    HeatmapWidget& map() const { return *m_map; }

    /// Tokens of a cell; for a word, its first.
    TokenPair pairAt(HeatmapCell cell) const;

    QSize sizeHint() const override { return {480, 480}; }

    QSize minimumSizeHint() const override { return {240, 240}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();
    void placeBeside();

    HeatmapWidget* m_map;
    ColourBar* m_legend;
    bool m_isLegendBeside = false;
    std::vector<std::vector<int>> m_rowTokens;
    std::vector<std::vector<int>> m_columnTokens;
};

} // namespace headscope::ui
