#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"
#include "ui/widgets/heatmap/heatmap_zoom.h"
#include "ui/widgets/style/colour_map.h"

#include <QImage>
#include <QMarginsF>
#include <QPainter>
#include <QStringList>

#include <cstdint>
#include <memory>
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

/// One RGB32 pixel a cell, or a bin of cells by the largest magnitude when `size` is smaller.
QImage heatmapImage(const HeatmapContent& content, const Theme& theme, QSize size);

/// "query to, 13; key Mary, 1; weight 0.810; largest in its row".
QString describeCell(const HeatmapContent& content, HeatmapCell cell);

} // namespace headscope::ui
