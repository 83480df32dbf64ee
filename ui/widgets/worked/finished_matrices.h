#pragma once

#include "ui/widgets/worked/worked_block.h"

#include <vector>

namespace headscope::ui {

/// What earlier stages of a worked example ended with: small, side by side, the newest last.
class FinishedMatrices
{
public:
    FinishedMatrices() = default; ///< none
    FinishedMatrices(const WorkedPicture& picture, const std::vector<int>& matrices,
                     const Theme& theme);

    /// From the newest back, as many as the area is wide enough for.
    void place(QRectF area);

    const std::vector<WorkedBlock>& blocks() const { return m_blocks; }

    int left() const { return m_left; } ///< without a place

    double height() const; ///< of the tallest

private:
    struct Widths
    {
        double labels = 0.0; ///< of the rows, with the gap
        double cells = 0.0;
        double reach = 0.0; ///< of cells or title, whichever is wider
    };

    double m_scale = 1.0;
    std::vector<WorkedBlock> m_blocks;
    std::vector<Widths> m_widths; ///< one a block, before place()
    int m_left = 0;
};

} // namespace headscope::ui
