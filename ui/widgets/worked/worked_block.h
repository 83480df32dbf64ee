#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/worked/worked_diagram.h"

#include <QRectF>
#include <QStringList>

#include <string>
#include <vector>

namespace headscope::ui {

/// Layout of one matrix.
struct WorkedBlock
{
    int matrix = 0;
    QRectF title;
    QRectF rowLabels;    ///< Area beside the cells; empty without labels.
    QRectF columnLabels; ///< Area above the cells; empty without labels.
    QRectF cells;
    int rows = 0;
    int columns = 0;
    double pixels = 20.0; ///< Type size of the numbers, at scale 1.
    int decimals = 4;
    double bus = 0.0; ///< Vertical position below the cells of the lines to the result.

    QRectF cell(int row, int column) const;

    /// Frame around the cells and their labels, below the title.
    QRectF outline() const;

    /// Maximum width of a label in logical pixels at scale 1.
    static constexpr double kWidestLabel = 88.0;
    static constexpr double kLabelGap = 10.0; ///< Gap between a label and its row.
};

/// Blocks of the matrices, not placed yet.
std::vector<WorkedBlock> workedBlocks(const WorkedDiagram& diagram,
                                      const std::vector<int>& matrices);

/// Texts of a matrix's cells, one of those that are equally wide: digits are 0.
QStringList widthSamples(const WorkedDiagram& diagram, int matrix, int decimals);

/// Width of the widest text.
double widestText(const QStringList& texts, const QFont& font);

/// Font of the numbers in cells: the theme's family in any size.
QFont stageFont(const Theme& theme, double pixels, bool isBold = false);

/// Width of the widest label; labels wider than WorkedBlock::kWidestLabel are elided.
double widestLabel(const std::vector<std::string>& labels, const QFont& font, const Theme& theme);

} // namespace headscope::ui
