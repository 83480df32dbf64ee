#pragma once

#include "ui/widgets/worked/worked_block.h"
#include "ui/widgets/worked/worked_equation.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Where everything of a worked example lies. The present stage's matrices stand large, in one line
/// or a few; what earlier stages ended with is small above them, where there is room.
class WorkedLayout
{
public:
    WorkedLayout() = default;
    WorkedLayout(QRectF area, const WorkedPicture& picture, const Theme& theme);

    const std::vector<WorkedBlock>& small() const { return m_small; }

    const std::vector<WorkedBlock>& large() const { return m_large; }

    const std::vector<QRectF>& signs() const { return m_signs; } ///< between large ones

    int left() const { return m_left; } ///< finished matrices that there is no room for

    const WorkedEquation& equation() const { return m_equation; }

    QRectF shareBar() const { return m_shareBar; }

    double hairline() const { return m_hairline; } ///< y between small and large; 0: none

    QRectF area() const { return m_area; }

    const WorkedBlock* block(int matrix) const; ///< the large one, else the small one, else null
    QRectF cellRect(CellAddress cell) const;
    std::optional<CellAddress> cellAt(QPointF position) const;

    double height() const { return m_height; } ///< that it takes up

    bool fits() const { return m_fits; }

private:
    struct Parts;

    bool place(QRectF area, Parts parts, const Theme& theme);

    QRectF m_area;
    std::vector<WorkedBlock> m_small, m_large;
    std::vector<QRectF> m_signs;
    WorkedEquation m_equation;
    QRectF m_shareBar;
    double m_hairline = 0.0;
    double m_height = 0.0;
    int m_left = 0;
    bool m_fits = false;
};

} // namespace headscope::ui
