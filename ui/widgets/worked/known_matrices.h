#pragma once

#include "ui/widgets/worked/worked_block.h"

#include <vector>

class QPainter;

namespace headscope::ui {

/// Inputs and results known in the current stage of a worked example, small, in lines: numbers
/// where the matrix is small, colours where it is not. As large as fits.
class KnownMatrices
{
public:
    KnownMatrices() = default;
    KnownMatrices(QRectF area, const WorkedDiagram& diagram, const Theme& theme);

    /// Blocks in the order of the calculation; a block whose type is 0 px shows colours alone.
    const std::vector<WorkedBlock>& blocks() const { return m_blocks; }

    int left() const { return m_left; } ///< Number of earlier matrices that do not fit.

    bool hasNumbers() const; ///< True if the small matrices show numbers, not colours alone.

    QString leftText() const; ///< "3 earlier", before the first block; empty if all fit.
    double leftWidth(const Theme& theme) const;

    static double smallestHeight(const Theme& theme); ///< Height of one line in the smallest type.

private:
    struct Type;

    void measure(const WorkedDiagram& diagram, const Theme& theme, const Type& type,
                 const std::vector<QStringList>& samples);
    bool place(QRectF area, const Theme& theme, const Type& type);

    std::vector<WorkedBlock> m_blocks;
    int m_left = 0;
};

/// Inputs and matrices computed in or before the current stage, in order.
std::vector<int> knownMatrices(const WorkedDiagram& diagram);

/// "Scores, 3 × 3"
QString titleAndShape(const WorkedMatrix& matrix);

void paintKnownMatrices(QPainter& painter, const KnownMatrices& matrices,
                        const WorkedDiagram& diagram, const Theme& theme);

} // namespace headscope::ui
