#pragma once

#include "ui/widgets/worked/worked_block.h"
#include "ui/widgets/worked/worked_equation.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Layout of a worked example. Matrices of the current stage are large, in one line or a few;
/// results of earlier stages are small above them, if there is room.
class WorkedLayout
{
public:
    WorkedLayout() = default;
    WorkedLayout(QRectF area, const WorkedDiagram& diagram, const Theme& theme);

    const std::vector<WorkedBlock>& small() const { return m_small; }

    const std::vector<WorkedBlock>& large() const { return m_large; }

    /// Areas of the signs between large matrices.
    const std::vector<QRectF>& signs() const { return m_signs; }

    const WorkedEquation& equation() const { return m_equation; }

    QRectF fractionBar() const { return m_fractionBar; }

    /// Vertical position of the line between small and large; 0: none.
    double hairline() const { return m_hairline; }

    QRectF area() const { return m_area; }

    /// Block of a matrix: the large one, else the small one, else null.
    const WorkedBlock* block(int matrix) const;
    QRectF cellRect(CellAddress cell) const;
    std::optional<CellAddress> cellAt(QPointF position) const;

    double height() const { return m_height; } ///< Height that the layout uses.

    bool fits() const { return m_fits; }

private:
    struct Parts;

    bool place(QRectF area, Parts parts, const Theme& theme);

    QRectF m_area;
    std::vector<WorkedBlock> m_small, m_large;
    std::vector<QRectF> m_signs;
    WorkedEquation m_equation;
    QRectF m_fractionBar;
    double m_hairline = 0.0;
    double m_height = 0.0;
    bool m_fits = false;
};

} // namespace headscope::ui
