#pragma once

#include "ui/pages/shared/maps/shown_number.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/attention/alignment.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/style/colour_bar.h"

#include <QJsonObject>

namespace headscope::ui {

/// Heads whose cross-attention an alignment averages.
enum class AlignmentOf { Head, Layer, Everything };

struct CrossOptions
{
    AlignmentOf of = AlignmentOf::Layer;
    bool pinned = false; ///< the selected target token's ribbons are highlighted

    static CrossOptions fromJson(const QJsonObject& json); ///< unknown keys are ignored
    QJsonObject toJson() const;
};

/// Mean cross-attention over the requested heads. Rows are target tokens.
struct CrossContent
{
    ShownPattern pattern;
    QStringList written;        ///< per row: the token that the decoder writes there
    std::vector<int> strongest; ///< per row: the column of the largest weight
    std::optional<int> row;     ///< the selected query's
    std::optional<int> column;  ///< the selected key's
    QString what;               ///< "mean over the 4 heads of layer 0"
    QString hidden;             ///< "38.2 % hidden with the first token ..."; empty for nothing
    QString leftOut;            ///< the same in whole sentences, for captions
    QString problem;            ///< why there is nothing: one sentence

    bool isEmpty() const { return pattern.matrix.isEmpty(); }
};

bool hasCrossAttention(const ViewSnapshot& view);

CrossContent crossContent(const ViewSnapshot& view, const CrossOptions& options);

HeatmapContent crossMap(const CrossContent& content, const ViewSnapshot& view);
ColourBarContent crossLegend(const CrossContent& content, const ViewSnapshot& view);
AlignmentContent crossAlignment(const CrossContent& content, const CrossOptions& options,
                                bool stale);
std::vector<Bar> crossBars(const CrossContent& content); ///< per target token its source token

/// One cell of the mean shown.
MaybeNumber crossNumber(const ViewSnapshot& view, const CrossOptions& options, HeatmapCell cell);

/// "“9” is written attending to “1” (position 9), weight 0.530".
QString crossSentence(const CrossContent& content, int row);

} // namespace headscope::ui
