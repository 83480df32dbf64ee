#include "ui/pages/architecture/architecture_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kSpineBox = 176.0;
constexpr double kWithCount = 64.0; ///< Height with name, shape and count.
constexpr double kFree = 46.0;      ///< Height with name and shape.
constexpr double kGap = 8.0;        ///< Space between boxes of a column.
constexpr double kRowGap = 18.0;
constexpr double kJoint = 14.0; ///< Space from a branch down to its sum.
constexpr double kTitle = 22.0;
constexpr double kInputJoint = 10.0; ///< Extra space where inputs are added.
constexpr double kSummary = 264.0;
constexpr double kCollapsedStack = 240.0;
constexpr double kLargestBox = 184.0;

} // namespace

double ArchitectureLayout::boxHeight(const ArchitectureBox& box) const
{
    const bool free = box.role == ArchitectureBox::Role::Free;
    return (free ? kFree : kWithCount) * m_scale;
}

ArchitectureLayout::ArchitectureLayout(double width, const ArchitectureContent& content,
                                       const Theme& theme)
    : m_scale(theme.scale())
    , m_boxes(content.parts.boxes.size())
{
    const auto stacks = content.parts.stacks.size();
    const double summary = kSummary * m_scale;
    const double apart = 40.0 * m_scale;
    const double room = width - summary - apart * static_cast<double>(stacks);
    double left = 0.0;
    for (std::size_t index = 0; index < stacks; ++index) {
        const double narrow = kCollapsedStack * m_scale;
        const bool expanded = content.parts.stacks[index].expanded;
        const double own = stacks == 1 ? room : expanded ? room - narrow : narrow;
        placeStack(index, content, left, std::max(own, narrow));
        left += own + apart;
    }
    m_summary = QRectF(width - summary, 0.0, summary - 16.0 * m_scale, 320.0 * m_scale);
    for (const StackPosition& stack : m_stacks)
        m_height = std::max(m_height, stack.bottom + 16.0);
    m_height = std::max(m_height, m_summary.bottom());
}

void ArchitectureLayout::placeStack(std::size_t index, const ArchitectureContent& content,
                                    double left, double width)
{
    const ArchitectureStack& stack = content.parts.stacks[index];
    const double boxWidth = kSpineBox * m_scale;
    StackPosition place;
    place.spine = std::round(left + boxWidth / 2.0 + 2.0);
    const bool titled = !stack.title.isEmpty();
    double y = titled ? (kTitle + 8.0) * m_scale : 2.0;
    place.top = y;
    double inputX = left + boxWidth + 34.0 * m_scale;
    double before = y;
    bool added = false; // Whether an input is added next to the previous box.
    for (const ArchitectureRow& row : stack.rows) {
        RowPosition at;
        const bool beside =
            row.kind == ArchitectureRow::Kind::Input || row.kind == ArchitectureRow::Kind::Side;
        if (added && !beside)
            y += kInputJoint * m_scale;
        added = added && beside;
        at.start = row.parallel && !place.rows.empty() ? place.rows.back().start : y;
        if (row.kind == ArchitectureRow::Kind::Spine) {
            const int box = row.columns[0][0];
            const double height = boxHeight(content.parts.boxes[static_cast<std::size_t>(box)]);
            if (content.parts.boxes[static_cast<std::size_t>(box)].copies > 1)
                y += 6.0 * m_scale; // Room for the stacked outlines behind it.
            m_boxes[static_cast<std::size_t>(box)] = QRectF(left + 2.0, y, boxWidth, height);
            at.area = m_boxes[static_cast<std::size_t>(box)];
            before = y;
            inputX = left + boxWidth + 34.0 * m_scale;
            y += height + kRowGap * m_scale;
        } else if (row.kind == ArchitectureRow::Kind::Branch) {
            const double branch = left + boxWidth / 2.0 + 40.0 * m_scale;
            y = placeBranch(row, content, QRectF(branch, y, left + width - branch, 0.0), at);
        } else { // Row joined to the previous box.
            const int box = row.columns[0][0];
            const double height = boxHeight(content.parts.boxes[static_cast<std::size_t>(box)]);
            const bool narrow = inputX + 120.0 * m_scale > left + width;
            if (narrow) {
                before = y;
                y += height + kRowGap * m_scale;
            }
            m_boxes[static_cast<std::size_t>(box)] =
                QRectF(narrow ? left + boxWidth / 2.0 + 24.0 * m_scale : inputX, before,
                       (narrow ? 126.0 : 136.0) * m_scale, height);
            at.area = m_boxes[static_cast<std::size_t>(box)];
            if (row.kind == ArchitectureRow::Kind::Input) {
                y = std::max(y, at.area.bottom() + kRowGap * m_scale);
                at.joint = y - kRowGap * m_scale / 2.0 + 1.0;
                added = true;
            }
            inputX += 152.0 * m_scale;
        }
        place.rows.push_back(at);
    }
    place.bottom = y - kRowGap * m_scale;
    m_stacks.push_back(std::move(place));
}

double ArchitectureLayout::placeBranch(const ArchitectureRow& row,
                                       const ArchitectureContent& content, QRectF room,
                                       RowPosition& place)
{
    const double title = kTitle * m_scale;
    const auto columns = static_cast<double>(row.columns.size());
    const double gap = (room.width() < 640.0 * m_scale ? 20.0 : 28.0) * m_scale;
    const double boxWidth =
        std::clamp((room.width() - gap * (columns - 1.0)) / columns, 72.0, kLargestBox * m_scale);
    std::vector<double> heights;
    for (const auto& column : row.columns) {
        double height = kGap * m_scale * static_cast<double>(column.size() - 1);
        for (const int box : column)
            height += boxHeight(content.parts.boxes[static_cast<std::size_t>(box)]);
        heights.push_back(height);
    }
    const double tallest = *std::max_element(heights.begin(), heights.end());
    const double top = room.y() + title;
    double x = room.x();
    for (std::size_t index = 0; index < row.columns.size(); ++index) {
        double y = row.cross ? top : top + (tallest - heights[index]) / 2.0;
        for (const int box : row.columns[index]) {
            const double height = boxHeight(content.parts.boxes[static_cast<std::size_t>(box)]);
            m_boxes[static_cast<std::size_t>(box)] =
                QRectF(std::round(x), std::round(y), std::round(boxWidth), std::round(height));
            y += height + kGap * m_scale;
        }
        x += boxWidth + gap;
    }
    place.area = QRectF(room.x(), top, x - gap - room.x(), tallest);
    place.joint = std::round(top + tallest + kJoint * m_scale);
    return place.joint + kRowGap * m_scale;
}

std::optional<int> ArchitectureLayout::boxAt(QPointF position) const
{
    for (std::size_t box = 0; box < m_boxes.size(); ++box)
        if (m_boxes[box].contains(position))
            return static_cast<int>(box);
    return std::nullopt;
}

int ArchitectureLayout::neighbour(int box, int key) const
{
    const QPointF from = boxRect(box).center();
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1.0 : 1.0;
    int best = box;
    double nearest = 1e300;
    for (std::size_t other = 0; other < m_boxes.size(); ++other) {
        const QPointF step = m_boxes[other].center() - from;
        const double along = sign * (across ? step.x() : step.y());
        const double aside = std::abs(across ? step.y() : step.x());
        const double distance = along + 2.0 * aside;
        if (along > 4.0 && distance < nearest) {
            nearest = distance;
            best = static_cast<int>(other);
        }
    }
    return best;
}

} // namespace headscope::ui
