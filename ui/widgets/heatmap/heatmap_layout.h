#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <QRectF>

#include <utility>

namespace headscope::ui {

/// Layout of the cells. Cells of a pixel or more are equal and start on device pixels; smaller ones
/// share pixels, which show their maximum.
class HeatmapLayout
{
public:
    HeatmapLayout() = default;
    HeatmapLayout(QRectF area, const HeatmapContent& content, const HeatmapOptions& options,
                  const Theme& theme, double pixelRatio = 1.0);

    /// Geometry shared by painting, hit-testing and tests, with cellAt().
    QRectF cellRect(HeatmapCell cell) const;
    std::optional<HeatmapCell> cellAt(QPointF position) const;

    /// Cell of a row in the column of the attention sink; empty without one.
    QRectF sinkRect(int row) const;
    std::optional<int> sinkAt(QPointF position) const; ///< Row of the sink's cell there.

    bool hasSink() const { return m_sinkWidth > 0.0; }

    /// Right edge of what is drawn of the rows: of the sink, or of the visible cells.
    double rightEdge() const;

    QRectF cells() const { return m_cells; } ///< All cells, including those outside the viewport.

    QRectF viewport() const { return m_viewport; } ///< Visible part of the cells.

    /// Everything that is drawn: the visible cells with labels, sink and sums. The whole area
    /// without cells.
    QRectF extent() const { return m_extent; }

    double zoomFactor() const { return m_factor; } ///< Zoom factor; 1: the whole map.

    double largestFactor() const { return m_largestFactor; }

    /// Half-open range of rows, including partly visible ones.
    std::pair<int, int> visibleRows() const;
    std::pair<int, int> visibleColumns() const;

    QSizeF cellSize() const { return m_cell; }

    /// Width beside the cells for an attention sink, gap included; 0 without one.
    static double sinkSpace(const HeatmapContent& content, double cellWidth);

    QSize imageSize() const; ///< One pixel per cell, fewer if cells share pixels.

    double pixelRatio() const { return m_pixelRatio; }

    int rows() const { return m_rows; }

    int columns() const { return m_columns; }

private:
    void takeSizes(QSizeF inner, const HeatmapOptions& options, const Theme& theme);
    void placeCells(QRectF inner, const HeatmapZoom& zoom);

    QRectF m_cells;
    QRectF m_viewport;
    QRectF m_extent;
    QSizeF m_cell;
    double m_sinkWidth = 0.0; ///< Width of the sink's column; it does not grow with the zoom.
    double m_factor = 1.0;
    double m_largestFactor = 1.0;
    double m_pixelRatio = 1.0;
    int m_rows = 0;
    int m_columns = 0;
};

} // namespace headscope::ui
