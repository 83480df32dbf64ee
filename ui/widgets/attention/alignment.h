#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Two texts, one above the other, and the attention of each token below to those above.
struct AlignmentContent
{
    QStringList above;
    QStringList below;
    HeatmapMatrix matrix;    ///< Weights or differences [below, above].
    double threshold = 0.15; ///< Minimum weight of a drawn ribbon.
    bool isSigned = false;
    bool stale = false;
    std::optional<int> current; ///< Token below whose ribbons are highlighted.

    bool isEmpty() const { return matrix.isEmpty(); }
};

struct AlignmentRibbon
{
    int below = 0;
    int above = 0;
    float weight = 0.0F;
};

std::vector<AlignmentRibbon> ribbonsOf(const AlignmentContent& content);

/// Text such as "31 of 154 links drawn, 78 % of the weight".
QString ribbonCountText(const AlignmentContent& content);

} // namespace headscope::ui
