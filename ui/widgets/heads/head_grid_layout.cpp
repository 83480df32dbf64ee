#include "ui/widgets/heads/head_grid_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kGap = 2.0;
constexpr double kSinkGap = 5.0; // so that the strip of a sink is nearer to its own map
constexpr double kGroupGap = 8.0;
constexpr double kSinkGroupGap = 12.0;
constexpr double kSmallestSide = 6.0; // 32 heads in a side column

double labelWidth(const Theme& theme)
{
    return 28.0 * theme.scale();
}

double headerHeight(const Theme& theme, bool brackets)
{
    return (brackets ? 42.0 : 22.0) * theme.scale();
}

int groupSizeOf(const HeadGridContent& content)
{
    const int groups = content.keyValueHeads;
    const bool grouped = content.order.empty() && groups > 0 && groups < content.heads &&
                         content.heads % groups == 0;
    return grouped ? content.heads / groups : 0;
}

/// Widths of what is between the heads of a layer.
struct Gaps
{
    double head = kGap;
    double group = kGroupGap;

    double sum(int heads, int groupSize) const
    {
        const int groups = groupSize > 0 ? heads / groupSize : 1;
        return heads * head + (groups - 1) * (group - head);
    }
};

/// Thumbnails of this side, in pixels, that are too small for the strip of a sink are as near as
/// others.
Gaps gapsOf(const HeadGridContent& content, double pixels)
{
    const bool hasStrips = content.hasSinks() && pixels >= kLeastPixelsWithStrip;
    return hasStrips ? Gaps{kSinkGap, kSinkGroupGap} : Gaps();
}

} // namespace

HeadGridLayout::HeadGridLayout(QRectF area, const HeadGridContent& content, const Theme& theme,
                               double pixelRatio)
    : m_layers(content.layers)
    , m_heads(content.heads)
    , m_groupSize(groupSizeOf(content))
{
    if (m_layers <= 0 || m_heads <= 0) {
        m_layers = m_heads = 0;
        return;
    }
    takeOrder(content.order);
    const double header = headerHeight(theme, m_groupSize > 0);
    m_origin = QPointF(std::round(area.x() + labelWidth(theme)), std::round(area.y() + header));
    takeSizes({area.width() - labelWidth(theme) - 4.0, area.height() - header - 4.0}, content,
              theme, pixelRatio);
}

void HeadGridLayout::takeOrder(const std::vector<int>& order)
{
    if (order.size() != static_cast<std::size_t>(m_layers) * static_cast<std::size_t>(m_heads))
        return;
    m_order = m_place = order;
    for (int slot = 0; slot < m_layers * m_heads; ++slot) {
        const int layer = slot / m_heads;
        const int head = m_order[static_cast<std::size_t>(slot)];
        m_place[static_cast<std::size_t>(layer * m_heads + head)] = slot % m_heads;
    }
}

/// Where wider gaps would leave no room for the strips of sinks, thumbnails are as near as others
/// and without strips.
void HeadGridLayout::takeSizes(QSizeF room, const HeadGridContent& content, const Theme& theme,
                               double pixelRatio)
{
    const double largest = std::max(kSmallestSide, content.largestSide * theme.scale());
    const auto sideWith = [&](const Gaps& gaps, double most) {
        const double across = (room.width() + gaps.head - gaps.sum(m_heads, m_groupSize)) / m_heads;
        const double down = (room.height() + kGap) / m_layers - kGap;
        const double side = std::floor(std::clamp(std::min(across, down), kSmallestSide, most));
        return std::round(side * pixelRatio) / pixelRatio;
    };
    Gaps gaps = gapsOf(content, kLeastPixelsWithStrip);
    m_side = sideWith(gaps, largest);
    if (content.hasSinks() && m_side * pixelRatio < kLeastPixelsWithStrip) {
        gaps = Gaps();
        m_side = sideWith(gaps, kSmallestSide);
    }
    m_gap = gaps.head;
    m_groupGap = gaps.group;
}

int HeadGridLayout::placeOf(GridCell index) const
{
    const auto slot = static_cast<std::size_t>(index.layer * m_heads + index.head);
    return slot < m_place.size() ? m_place[slot] : index.head;
}

GridCell HeadGridLayout::atPlace(int layer, int place) const
{
    const auto slot = static_cast<std::size_t>(layer * m_heads + place);
    return {layer, slot < m_order.size() ? m_order[slot] : place};
}

double HeadGridLayout::columnX(int place) const
{
    const double groups = m_groupSize > 0 ? place / m_groupSize : 0;
    return m_origin.x() + place * (m_side + m_gap) + groups * (m_groupGap - m_gap);
}

double HeadGridLayout::rowY(int layer) const
{
    return m_origin.y() + layer * (m_side + kGap);
}

QRectF HeadGridLayout::headRect(GridCell index) const
{
    return {columnX(placeOf(index)), rowY(index.layer), m_side, m_side};
}

std::optional<GridCell> HeadGridLayout::headAt(QPointF position) const
{
    if (m_layers == 0)
        return std::nullopt;
    // The gap to the right and below belongs to a thumbnail, so that targets touch.
    const int layer = static_cast<int>(std::floor((position.y() - m_origin.y()) / (m_side + kGap)));
    if (layer < 0 || layer >= m_layers || position.x() < m_origin.x())
        return std::nullopt;
    for (int place = 0; place < m_heads; ++place)
        if (position.x() < columnX(place) + m_side + m_gap)
            return position.x() >= columnX(place) ? std::optional<GridCell>(atPlace(layer, place))
                                                  : std::nullopt;
    return std::nullopt;
}

QSizeF HeadGridLayout::size() const
{
    if (m_layers == 0)
        return {};
    return {columnX(m_heads - 1) + m_side + 4.0, rowY(m_layers - 1) + m_side + 4.0};
}

QSizeF headGridMinimum(const HeadGridContent& content, const Theme& theme)
{
    return headGridSize(content, theme, kSmallestSide);
}

QSizeF headGridSize(const HeadGridContent& content, const Theme& theme, double side)
{
    const int groupSize = groupSizeOf(content);
    return {labelWidth(theme) + content.heads * side +
                gapsOf(content, side).sum(content.heads, groupSize) + 4.0,
            headerHeight(theme, groupSize > 0) + content.layers * (side + kGap) + 4.0};
}

} // namespace headscope::ui
