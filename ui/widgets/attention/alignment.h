#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Two texts, one above the other, and how strongly each token below looks at those above.
struct AlignmentContent
{
    QStringList above;
    QStringList below;
    HeatmapMatrix matrix;    ///< [below, above]; weights, or differences
    double threshold = 0.15; ///< ribbons of less are not drawn
    bool isSigned = false;
    bool stale = false;
    std::optional<int> current; ///< token below whose ribbons stand out

    bool isEmpty() const { return matrix.isEmpty(); }
};

struct AlignmentRibbon
{
    int below = 0;
    int above = 0;
    float weight = 0.0F;
};

std::vector<AlignmentRibbon> ribbonsOf(const AlignmentContent& content);

/// "31 of 154 links drawn, 78 % of the weight".
QString ribbonCountWords(const AlignmentContent& content);

} // namespace headscope::ui
