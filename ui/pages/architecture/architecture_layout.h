#pragma once

#include "ui/pages/architecture/architecture_parts.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui {

/// Data of the architecture diagram.
struct ArchitectureContent
{
    ModelParts parts;
    std::int64_t counted = 0; ///< Count reported by the model; the parts must add up to it.
    /// Parameters by group, such as "attention".
    std::vector<std::pair<QString, std::int64_t>> fractions;
    std::optional<int> current; ///< Box under the cursor.
};

/// Positions of the boxes for a given width; the height follows.
class ArchitectureLayout
{
public:
    ArchitectureLayout() = default;
    ArchitectureLayout(double width, const ArchitectureContent& content, const Theme& theme);

    struct RowPosition
    {
        QRectF area;        ///< Bounding rectangle of the row's boxes.
        double start = 0.0; ///< Y at which the branch leaves the stream.
        double joint = 0.0; ///< Y of the sum.
    };

    struct StackPosition
    {
        double spine = 0.0; ///< X of the residual stream.
        double top = 0.0;
        double bottom = 0.0;
        double titleY = 0.0;
        std::vector<RowPosition> rows;
    };

    QRectF boxRect(int box) const { return m_boxes[static_cast<std::size_t>(box)]; }

    std::optional<int> boxAt(QPointF position) const;

    /// Nearest box in the direction of an arrow key.
    int neighbour(int box, int key) const;

    const std::vector<StackPosition>& stacks() const { return m_stacks; }

    QRectF summary() const { return m_summary; } ///< The total and its parts.

    double height() const { return m_height; }

private:
    void placeStack(std::size_t index, const ArchitectureContent& content, double left,
                    double width);
    double placeBranch(const ArchitectureRow& row, const ArchitectureContent& content, QRectF room,
                       RowPosition& place);
    double boxHeight(const ArchitectureBox& box) const;

    double m_scale = 1.0;
    std::vector<QRectF> m_boxes;
    std::vector<StackPosition> m_stacks;
    QRectF m_summary;
    double m_height = 0.0;
};

} // namespace headscope::ui
