#pragma once

#include "ui/widgets/worked/worked_block.h"

#include <vector>

namespace headscope::ui {

/// Results of earlier stages of a worked example: small, side by side, the newest last.
class FinishedMatrices
{
public:
    FinishedMatrices() = default; ///< Creates an empty list.
    FinishedMatrices(const WorkedDiagram& diagram, const std::vector<int>& matrices,
                     const Theme& theme);

    /// Places as many as fit the area's width, from the newest back.
    void place(QRectF area);

    const std::vector<WorkedBlock>& blocks() const { return m_blocks; }

    double height() const; ///< Height of the tallest matrix.

private:
    struct Widths
    {
        double labels = 0.0; ///< Width of the row labels with the gap.
        double cells = 0.0;
        double reach = 0.0; ///< Width of cells or title, whichever is wider.
    };

    double m_scale = 1.0;
    std::vector<WorkedBlock> m_blocks;
    std::vector<Widths> m_widths; ///< Widths of each block, before place().
};

} // namespace headscope::ui
