#pragma once

#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// One stage between product and weight.
struct QkStage
{
    QString title; ///< Title such as "÷ √16".
    int decimals = 3;
};

/// One key of the row.
struct QkKey
{
    QString label;
    int position = 0;
    std::vector<double> numbers; ///< Value of each stage; infinite or NaN: masked.
    double weight = 0.0;
    bool masked = false;
};

/// One query against all keys: vectors, products by dimension, and the stages up to the weight.
struct QkContent
{
    QString query;
    int queryPosition = 0;
    std::vector<int> channels; ///< Dimension shown in each column of the strips.
    HeatmapMatrix queryVector; ///< Query vector [1, d], columns in the order of `channels`.
    HeatmapMatrix keyVectors;  ///< Key vectors [keys, d].
    HeatmapMatrix products;    ///< Products [keys, d].
    float vectorRange = 1.0F;  ///< Colour range of q and k: -range to range.
    float productRange = 1.0F;
    std::vector<QkStage> stages;
    std::vector<QkKey> keys;
    int key = -1;              ///< Selected row.
    std::optional<int> column; ///< Hovered or pinned column of the strips.
    bool isDifference = false; ///< B - A
    bool stale = false;
    std::vector<Math> formulas;

    bool isEmpty() const { return keys.empty() || channels.empty(); }

    int columns() const { return static_cast<int>(channels.size()); }
};

/// Text such as "dimension 17: q +0.83 × k −1.20 = −0.99, negative, 3rd largest of 16".
QString describeColumn(const QkContent& content, int column);

/// One value of one key, as shown in its cell.
QString stageText(const QkContent& content, int key, int stage);

/// Text such as "query to, 13; key Mary, 1; softmax 0.810".
QString describeStage(const QkContent& content, int key, int stage);

/// Text such as "query to, 13; key Mary, 1; q·k 5.210; ...; weight 0.810".
QString describeKey(const QkContent& content, int key);

} // namespace headscope::ui
