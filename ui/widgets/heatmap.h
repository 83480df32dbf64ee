#pragma once

#include "ui/widgets/colour_map.h"

#include <QImage>
#include <QMarginsF>
#include <QPainter>
#include <QRectF>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

struct HeatmapCell
{
    int row = 0;
    int column = 0;

    friend bool operator==(const HeatmapCell&, const HeatmapCell&) = default;
};

/// A matrix to draw. The aliasing pointer keeps its owner (a Trace) alive; nothing is copied.
struct HeatmapMatrix
{
    std::shared_ptr<const float> values; ///< rows * columns, row-major
    int rows = 0;
    int columns = 0;

    bool isEmpty() const { return values == nullptr || rows <= 0 || columns <= 0; }

    bool contains(HeatmapCell cell) const;
    float at(HeatmapCell cell) const;
    static HeatmapMatrix copyOf(std::vector<float> values, int rows, int columns);
};

/// Cells that cannot be attended to. Default: none.
struct HeatmapMask
{
    enum class Kind { None, Causal, Window, Cells };

    Kind kind = Kind::None;
    int window = 0; ///< keys a query may see, itself included
    std::shared_ptr<const std::vector<std::uint8_t>> allowed; ///< Cells: rows * columns, 0 hides

    static HeatmapMask causal() { return {Kind::Causal, 0, nullptr}; }

    bool hides(HeatmapCell cell, const HeatmapMatrix& matrix) const;

    /// Half-open range of columns that row may see, without looking at `allowed`.
    std::pair<int, int> visibleColumns(int row, const HeatmapMatrix& matrix) const;
    friend bool operator==(const HeatmapMask&, const HeatmapMask&) = default;
};

/// Everything one map shows, as values.
struct HeatmapContent
{
    HeatmapMatrix matrix;
    HeatmapMask mask;
    ColourScale scale;
    QStringList rowLabels;    ///< query tokens, readable; may be empty
    QStringList columnLabels; ///< key tokens
    std::shared_ptr<const std::vector<std::uint8_t>> painted; ///< cells hatched by hand, or null
    std::optional<int> queryRow;
    std::optional<HeatmapCell> current;
    QString valueName = QStringLiteral("weight"); ///< "score", "difference": for words
    bool stale = false;                           ///< labels grey, cells keep their colours

    bool isHidden(HeatmapCell cell) const; ///< by the mask, or a score of -inf
    QString rowLabel(int row) const;       ///< the token, or the row's number without labels
    QString columnLabel(int column) const;
};

struct HeatmapOptions
{
    bool numbers = true; ///< in cells of 28 px or more with a weight of at least 0.1
    bool rowLabels = true;
    bool columnLabels = true;
    bool corner = true;         ///< "key" and "query" with their arrows
    bool square = true;         ///< else cells fill the rectangle
    bool keyNumber = false;     ///< small maps: the current weight under the query row's key
    bool cellsAsShapes = false; ///< vector export: one rectangle a cell instead of an image
    double largestCell = 38.0;
    double wantedCell = 0.0; ///< 0: as large as fits
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

    QRectF cells() const { return m_cells; } ///< all of them

    QSizeF cellSize() const { return m_cell; }

    QSize imageSize() const; ///< one pixel a cell, less when cells share pixels

    double pixelRatio() const { return m_pixelRatio; }

    int rows() const { return m_rows; }

    int columns() const { return m_columns; }

private:
    QRectF m_cells;
    QSizeF m_cell;
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
