#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"
#include "ui/widgets/heatmap/heatmap_zoom.h"
#include "ui/widgets/style/colour_map.h"

#include <QCoreApplication>
#include <QImage>
#include <QMarginsF>
#include <QPainter>
#include <QRect>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A large map downsampled by maximum: each value is that of the largest magnitude in a block of
/// block * block cells, -infinity where all of them are masked.
struct HeatmapOverview
{
    static constexpr int kBlock = 4; ///< Cells along a block's side.

    HeatmapMatrix blocks;
};

/// Everything that one map shows, as values.
struct HeatmapContent
{
    HeatmapMatrix matrix;
    HeatmapMask mask;
    ColourScale scale;
    HeatmapMatrix shades; ///< Values to colour in place of `matrix` (ranks, logs); may be empty.
    /// Blocks of the coloured values, from which images with fewer pixels than blocks are made;
    /// null: these are made from the cells.
    std::shared_ptr<const HeatmapOverview> overview;
    std::vector<double> rowSums;    ///< Sums shown to the right of the rows; may be empty.
    std::vector<double> columnSums; ///< Sums shown as bars below the columns; may be empty.
    /// Weight of each row on an attention sink, drawn as a column of its own to the right of the
    /// keys, to which it does not belong: no HeatmapCell names it. NaN: not defined. May be empty.
    std::vector<float> sink;
    std::vector<float> sinkShades; ///< Values to colour in place of `sink`; may be empty.
    std::optional<int> sinkRow;    ///< Row whose sink has the cursor, in place of `current`.
    QStringList rowLabels;         ///< Texts of the query tokens; may be empty.
    QStringList columnLabels;      ///< Texts of the key tokens.
    /// Turn of the chat that each row and column is from, see Token::turn; empty: no chat.
    std::vector<int> rowTurns;
    std::vector<int> columnTurns;
    /// Cells painted by hand, which are hatched; or null.
    std::shared_ptr<const std::vector<std::uint8_t>> painted;
    std::optional<int> queryRow;
    std::optional<HeatmapCell> current;
    /// Name of the values in texts, such as "score" or "difference".
    QString valueName = QCoreApplication::translate("Heatmap", "weight");
    QString rowsName = QCoreApplication::translate("Heatmap", "query");
    QString columnsName = QCoreApplication::translate("Heatmap", "key");
    bool stale = false; ///< Grey labels; cells keep their colours.
    /// Rows in ascending order that are masked because too little of them remains.
    std::vector<int> emptyRows;

    float shadeAt(HeatmapCell cell) const; ///< Value whose colour the cell has.
    bool isHidden(HeatmapCell cell) const; ///< True for a masked cell or a score of -inf.
    QString rowLabel(int row) const;       ///< Token, or the row's number without labels.
    QString columnLabel(int column) const;
};

struct HeatmapOptions
{
    bool numbers = true; ///< Numbers in cells of 28 px or more with a weight of at least 0.1.
    /// Decimals of numbers in every cell that is wide enough.
    std::optional<int> decimals = std::nullopt;
    bool rowLabels = true;
    bool columnLabels = true;
    bool corner = true;         ///< Shows "key" and "query" with their arrows.
    bool square = true;         ///< Square cells; otherwise cells fill the rectangle.
    bool keyNumber = false;     ///< Small maps: shows the current weight under the query row's key.
    bool cellsAsShapes = false; ///< Vector export: one rectangle per cell instead of an image.
    double largestCell = 72.0;  ///< Logical pixels: a map grows with its space up to this.
    double wantedCell = 0.0;    ///< Preferred cell size; 0: as large as fits.
    HeatmapZoom zoom;
};

/// Image with one RGB32 pixel per cell, or, if `size` is smaller, per bin by the largest magnitude.
QImage heatmapImage(const HeatmapContent& content, const Theme& theme, QSize size);

/// Part of that image, a rectangle of its pixels, made without the rest.
QImage heatmapImage(const HeatmapContent& content, const Theme& theme, QSize size, QRect part);

/// Overview of a map; null for maps whose cells are read as fast.
std::shared_ptr<const HeatmapOverview> overviewOf(const HeatmapContent& content);

/// Text such as "query to, 13; key Mary, 1; weight 0.810; largest in its row".
QString describeCell(const HeatmapContent& content, HeatmapCell cell);

} // namespace headscope::ui
