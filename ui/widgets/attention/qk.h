#pragma once

#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/heatmap/heatmap.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// One stage between product and weight.
struct QkStage
{
    QString title; ///< "÷ √16"
    int decimals = 3;
};

/// One key of the row.
struct QkKey
{
    QString label;
    int position = 0;
    std::vector<double> numbers; ///< one a stage; infinite or NaN: hidden by the mask
    double weight = 0.0;
    bool masked = false;
};

/// One query against all keys: vectors, products channel by channel, and the way to the weight.
struct QkContent
{
    QString query;
    int queryPosition = 0;
    std::vector<int> channels; ///< the channel in each column of the strips
    HeatmapMatrix queryVector; ///< [1, d], columns in the order of `channels`
    HeatmapMatrix keyVectors;  ///< [keys, d]
    HeatmapMatrix products;    ///< [keys, d]
    float vectorRange = 1.0F;  ///< colours of q and k: -range to range
    float productRange = 1.0F;
    std::vector<QkStage> stages;
    std::vector<QkKey> keys;
    int key = -1;              ///< chosen row
    std::optional<int> column; ///< pointed or pinned column of the strips
    bool isDifference = false; ///< B - A
    bool stale = false;
    std::vector<Math> formulas;

    bool isEmpty() const { return keys.empty() || channels.empty(); }

    int columns() const { return static_cast<int>(channels.size()); }
};

/// Where everything lies. The strips of the chosen pair stand above, formulas below; keys scroll
/// between them.
class QkLayout
{
public:
    QkLayout() = default;
    QkLayout(QRectF area, const QkContent& content, const Theme& theme, double scroll = 0.0);

    /// The chosen pair's strips: q, k, product.
    QRectF pairStrip(int strip) const;
    QRectF pairCell(int strip, int column) const;

    QRectF readout() const { return m_readout; }

    QRectF legend(int which) const; ///< 0: vectors, 1: products

    QRectF heading() const { return m_heading; }

    QRectF rows() const { return m_rows; } ///< the part of the area in which keys scroll

    QRectF row(int key) const;
    QRectF keyStrip(int key) const;
    QRectF productStrip(int key) const;
    QRectF number(int key, int stage) const;
    QRectF bar(int key) const;

    QRectF formulas() const { return m_formulas; }

    double rowHeight() const { return m_rowHeight; }

    double labelWidth() const { return m_label; }

    std::optional<int> keyAt(QPointF position) const;
    std::optional<int> columnAt(QPointF position) const;

private:
    double stageX(int stage) const;

    QRectF m_area, m_readout, m_heading, m_rows, m_formulas;
    double m_scroll = 0.0;
    double m_scale = 1.0;
    double m_label = 0.0;
    double m_rowHeight = 0.0;
    double m_pairRow = 0.0;
    double m_pairWidth = 0.0;
    double m_strip = 0.0;
    double m_number = 0.0;
    double m_bar = 0.0;
    int m_keys = 0;
    int m_columns = 0;
    int m_stages = 0;
};

/// Height that shows all keys.
double qkHeight(const QkContent& content, const Theme& theme);

/// Strips as images, one pixel a cell; made once for many paints.
struct QkImages
{
    QImage query, keys, products;
    bool asShapes = false; ///< vector export: a rectangle a cell, so that no viewer smooths them
};

QkImages qkImages(const QkContent& content, const Theme& theme, const QkLayout& layout,
                  double pixelRatio);

void paintQk(QPainter& painter, const QkLayout& layout, const QkContent& content,
             const QkImages& images, const Theme& theme);

/// "dimension 17: q +0.83 × k −1.20 = −0.99, negative, 3rd largest of 16".
QString describeColumn(const QkContent& content, int column);

/// One number of one key as written in its cell.
QString stageText(const QkContent& content, int key, int stage);

/// "query to, 13; key Mary, 1; softmax 0.810".
QString describeStage(const QkContent& content, int key, int stage);

/// "query to, 13; key Mary, 1; q·k 5.210; ...; weight 0.810".
QString describeKey(const QkContent& content, int key);

} // namespace headscope::ui
