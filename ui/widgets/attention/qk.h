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

/// "dimension 17: q +0.83 × k −1.20 = −0.99, negative, 3rd largest of 16".
QString describeColumn(const QkContent& content, int column);

/// One number of one key as written in its cell.
QString stageText(const QkContent& content, int key, int stage);

/// "query to, 13; key Mary, 1; softmax 0.810".
QString describeStage(const QkContent& content, int key, int stage);

/// "query to, 13; key Mary, 1; q·k 5.210; ...; weight 0.810".
QString describeKey(const QkContent& content, int key);

} // namespace headscope::ui
