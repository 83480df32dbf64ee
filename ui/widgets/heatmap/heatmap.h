#pragma once

#include "ui/widgets/style/colour_map.h"
#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QImage>
#include <QMarginsF>
#include <QPainter>
#include <QRectF>
#include <QStringList>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Everything one map shows, as values.
struct HeatmapContent
{
    HeatmapMatrix matrix;
    HeatmapMask mask;
    ColourScale scale;
    HeatmapMatrix shades; ///< what colours show in place of the values (ranks, logs); may be empty
    std::vector<double> rowSums;    ///< written right of the rows; may be empty
    std::vector<double> columnSums; ///< bars below the columns; may be empty
    QStringList rowLabels;          ///< query tokens, readable; may be empty
    QStringList columnLabels;       ///< key tokens
    std::shared_ptr<const std::vector<std::uint8_t>> painted; ///< cells hatched by hand, or null
    std::optional<int> queryRow;
    std::optional<HeatmapCell> current;
    QString valueName = QStringLiteral("weight"); ///< "score", "difference": for words
    QString rowsName = QStringLiteral("query");
    QString columnsName = QStringLiteral("key");
    bool stale = false;         ///< labels grey, cells keep their colours
    std::vector<int> emptyRows; ///< rising: masked because too little of them is left to show

    float shadeAt(HeatmapCell cell) const; ///< the number whose colour the cell has
    bool isHidden(HeatmapCell cell) const; ///< by the mask, or a score of -inf
    QString rowLabel(int row) const;       ///< the token, or the row's number without labels
    QString columnLabel(int column) const;
};

/// A part of a map under the glass: cells `factor` times as large as the whole map would have them,
/// the point `cell` (column, row; fractions are places inside a cell) at `at` in the viewport.
struct HeatmapZoom
{
    double factor = 1.0;
    QPointF cell;
    QPointF at;

    friend bool operator==(const HeatmapZoom&, const HeatmapZoom&) = default;
};

struct HeatmapOptions
{
    bool numbers = true; ///< in cells of 28 px or more with a weight of at least 0.1
    std::optional<int> decimals = std::nullopt; ///< numbers of every cell that has room for them
    bool rowLabels = true;
    bool columnLabels = true;
    bool corner = true;         ///< "key" and "query" with their arrows
    bool square = true;         ///< else cells fill the rectangle
    bool keyNumber = false;     ///< small maps: the current weight under the query row's key
    bool cellsAsShapes = false; ///< vector export: one rectangle a cell instead of an image
    double largestCell = 38.0;
    double wantedCell = 0.0; ///< 0: as large as fits
    HeatmapZoom zoom;
};

/// Where cells lie. Cells of a pixel or more are equal and start on device pixels; smaller ones
/// share pixels and are drawn by their maximum.
class HeatmapLayout
{
public:
    HeatmapLayout() = default;
    HeatmapLayout(QRectF area, const HeatmapContent& content, const HeatmapOptions& options,
                  const Theme& theme, double pixelRatio = 1.0);

    /// These two are the only geometry: painting, hit-testing and tests all use them.
    QRectF cellRect(HeatmapCell cell) const;
    std::optional<HeatmapCell> cellAt(QPointF position) const;

    QRectF cells() const { return m_cells; } ///< all of them, also those outside the viewport

    QRectF viewport() const { return m_viewport; } ///< the cells' part that is drawn

    double zoomFactor() const { return m_factor; } ///< 1: the whole map

    double largestFactor() const { return m_largestFactor; }

    std::pair<int, int> visibleRows() const; ///< half-open, those cut by the edge included
    std::pair<int, int> visibleColumns() const;

    QSizeF cellSize() const { return m_cell; }

    QSize imageSize() const; ///< one pixel a cell, less when cells share pixels

    double pixelRatio() const { return m_pixelRatio; }

    int rows() const { return m_rows; }

    int columns() const { return m_columns; }

private:
    void placeCells(QRectF inner, const HeatmapZoom& zoom);

    QRectF m_cells;
    QRectF m_viewport;
    QSizeF m_cell;
    double m_factor = 1.0;
    double m_largestFactor = 1.0;
    double m_pixelRatio = 1.0;
    int m_rows = 0;
    int m_columns = 0;
};

/// One RGB32 pixel a cell, or a bin of cells by the largest magnitude when `size` is smaller.
QImage heatmapImage(const HeatmapContent& content, const Theme& theme, QSize size);

/// Cells from `image` (heatmapImage), then gaps, numbers, hatch, outline, ring and labels.
void paintHeatmap(QPainter& painter, const HeatmapLayout& layout, const QImage& image,
                  const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme);

/// Space that labels and outlines take around the cells.
QMarginsF heatmapMargins(const HeatmapContent& content, const HeatmapOptions& options,
                         const Theme& theme);

/// "query to, 13; key Mary, 1; weight 0.810; largest in its row".
QString describeCell(const HeatmapContent& content, HeatmapCell cell);

} // namespace headscope::ui
