#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/worked/worked_picture.h"

#include <QRectF>

#include <string>
#include <vector>

namespace headscope::ui {

/// One matrix as it lies in the picture.
struct WorkedBlock
{
    int matrix = 0;
    QRectF title;
    QRectF rowLabels;    ///< beside the cells; empty without
    QRectF columnLabels; ///< above the cells; empty without
    QRectF cells;
    int rows = 0;
    int columns = 0;
    double pixels = 20.0; ///< of the numbers' type, at scale 1
    int decimals = 4;
    double bus = 0.0; ///< y below the cells on which lines run to the result

    QRectF cell(int row, int column) const;

    static constexpr double kWidestLabel = 88.0; ///< logical pixels at scale 1
    static constexpr double kLabelGap = 10.0;    ///< between a label and its row
};

/// Without a place yet.
std::vector<WorkedBlock> workedBlocks(const WorkedPicture& picture,
                                      const std::vector<int>& matrices);

/// The type of numbers in cells: the theme's face in any size.
QFont stageFont(const Theme& theme, double pixels, bool isBold = false);

/// Labels wider than WorkedBlock::kWidestLabel are shortened.
double widestLabel(const std::vector<std::string>& labels, const QFont& font, const Theme& theme);

} // namespace headscope::ui
