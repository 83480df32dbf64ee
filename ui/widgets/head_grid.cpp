#include "ui/widgets/head_grid.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kGap = 2.0;
constexpr double kGroupGap = 8.0;
constexpr double kLargestSide = 32.0;
constexpr double kSmallestSide = 8.0;

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
    const bool grouped = groups > 0 && groups < content.heads && content.heads % groups == 0;
    return grouped ? content.heads / groups : 0;
}

double groupGaps(int heads, int groupSize)
{
    return groupSize > 0 ? (heads / groupSize - 1) * (kGroupGap - kGap) : 0.0;
}

/// Level 0..254 of a weight, of -1..1 when signed.
std::uint8_t levelOf(float value, bool isSigned)
{
    const float unit = isSigned ? 0.5F + 0.5F * value : value;
    const float level = std::clamp(unit * 254.0F, 0.0F, 254.0F);
    return std::isnan(level) ? std::uint8_t{0} : static_cast<std::uint8_t>(std::lround(level));
}

/// Larger magnitude wins; a visible cell wins over a masked one.
bool outranks(std::uint8_t level, std::uint8_t other, bool isSigned)
{
    if (level == HeadThumbnail::kMasked || other == HeadThumbnail::kMasked)
        return other == HeadThumbnail::kMasked && level != HeadThumbnail::kMasked;
    return isSigned ? std::abs(level - 127) > std::abs(other - 127) : level > other;
}

/// For every cell of `count` the bin that it falls into.
std::vector<int> binsOf(int count, int bins)
{
    std::vector<int> result(static_cast<std::size_t>(count));
    for (int cell = 0; cell < count; ++cell)
        result[static_cast<std::size_t>(cell)] =
            static_cast<int>(static_cast<std::int64_t>(cell) * bins / count);
    return result;
}

HeadThumbnail pooled(const HeadThumbnail& source, int rows, int columns, bool isSigned)
{
    HeadThumbnail result{rows, columns, {}};
    result.levels.assign(static_cast<std::size_t>(rows) * columns, HeadThumbnail::kMasked);
    const std::vector<int> rowBins = binsOf(source.rows, rows);
    const std::vector<int> columnBins = binsOf(source.columns, columns);
    const std::uint8_t* from = source.levels.data();
    for (int row = 0; row < source.rows; ++row) {
        std::uint8_t* line =
            result.levels.data() +
            static_cast<std::size_t>(rowBins[static_cast<std::size_t>(row)]) * columns;
        for (int bin : columnBins) {
            if (outranks(*from, line[bin], isSigned))
                line[bin] = *from;
            ++from;
        }
    }
    return result;
}

} // namespace

HeadThumbnail makeThumbnail(const HeatmapMatrix& pattern, const HeatmapMask& mask, bool isSigned,
                            int largestSide)
{
    HeadThumbnail whole{std::max(pattern.rows, 0), std::max(pattern.columns, 0), {}};
    if (pattern.isEmpty())
        return whole;
    whole.levels.assign(static_cast<std::size_t>(pattern.rows) * pattern.columns,
                        HeadThumbnail::kMasked);
    for (int row = 0; row < pattern.rows; ++row) {
        const auto [first, last] = mask.visibleColumns(row, pattern);
        const std::size_t offset = static_cast<std::size_t>(row) * pattern.columns;
        for (int column = first; column < last; ++column) {
            const float value = pattern.values.get()[offset + column];
            const bool hidden =
                mask.kind == HeatmapMask::Kind::Cells && mask.hides({row, column}, pattern);
            if (!hidden && !(std::isinf(value) && value < 0))
                whole.levels[offset + column] = levelOf(value, isSigned);
        }
    }
    const int side = std::max(largestSide, 1);
    if (whole.rows <= side && whole.columns <= side)
        return whole;
    return pooled(whole, std::min(whole.rows, side), std::min(whole.columns, side), isSigned);
}

ThumbnailPtr HeadGridContent::at(HeadIndex index) const
{
    const auto place = static_cast<std::size_t>(index.layer) * heads + index.head;
    return contains(index) && place < thumbnails.size() ? thumbnails[place] : nullptr;
}

bool HeadGridContent::contains(HeadIndex index) const
{
    return index.layer >= 0 && index.layer < layers && index.head >= 0 && index.head < heads;
}

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
    const double header = headerHeight(theme, m_groupSize > 0);
    m_origin = QPointF(std::round(area.x() + labelWidth(theme)), std::round(area.y() + header));
    const double width = area.width() - labelWidth(theme) - groupGaps(m_heads, m_groupSize) - 4.0;
    const double height = area.height() - header - 4.0;
    const double fitting = std::min((width + kGap) / m_heads, (height + kGap) / m_layers) - kGap;
    const double side =
        std::floor(std::clamp(fitting, kSmallestSide, kLargestSide * theme.scale()));
    m_side = std::round(side * pixelRatio) / pixelRatio;
}

double HeadGridLayout::columnX(int head) const
{
    const double groups = m_groupSize > 0 ? head / m_groupSize : 0;
    return m_origin.x() + head * (m_side + kGap) + groups * (kGroupGap - kGap);
}

double HeadGridLayout::rowY(int layer) const
{
    return m_origin.y() + layer * (m_side + kGap);
}

QRectF HeadGridLayout::headRect(HeadIndex index) const
{
    return {columnX(index.head), rowY(index.layer), m_side, m_side};
}

std::optional<HeadIndex> HeadGridLayout::headAt(QPointF position) const
{
    if (m_layers == 0)
        return std::nullopt;
    // The gap below and right of a thumbnail belongs to it, so that targets touch.
    const int layer = static_cast<int>(std::floor((position.y() - m_origin.y()) / (m_side + kGap)));
    if (layer < 0 || layer >= m_layers || position.x() < m_origin.x())
        return std::nullopt;
    for (int head = 0; head < m_heads; ++head)
        if (position.x() < columnX(head) + m_side + kGap)
            return position.x() >= columnX(head) ? std::optional<HeadIndex>({layer, head})
                                                 : std::nullopt;
    return std::nullopt;
}

QSizeF HeadGridLayout::size() const
{
    if (m_layers == 0)
        return {};
    return {columnX(m_heads - 1) + m_side + 4.0, rowY(m_layers - 1) + m_side + 4.0};
}

QSizeF headGridSize(const HeadGridContent& content, const Theme& theme, double side)
{
    const int groupSize = groupSizeOf(content);
    return {labelWidth(theme) + content.heads * (side + kGap) +
                groupGaps(content.heads, groupSize) + 4.0,
            headerHeight(theme, groupSize > 0) + content.layers * (side + kGap) + 4.0};
}

QImage thumbnailImage(const HeadThumbnail& thumbnail, const ColourLookup& lookup, int pixels)
{
    if (thumbnail.levels.empty() || pixels <= 0)
        return {};
    const bool isSigned = lookup.isSigned();
    const bool shrinks = thumbnail.rows > pixels || thumbnail.columns > pixels;
    const HeadThumbnail smaller = shrinks ? pooled(thumbnail, std::min(thumbnail.rows, pixels),
                                                   std::min(thumbnail.columns, pixels), isSigned)
                                          : HeadThumbnail();
    const HeadThumbnail& shown = shrinks ? smaller : thumbnail;
    QImage image(pixels, pixels, QImage::Format_RGB32);
    std::vector<int> columns(static_cast<std::size_t>(pixels));
    for (int x = 0; x < pixels; ++x)
        columns[static_cast<std::size_t>(x)] = x * shown.columns / pixels;
    for (int y = 0; y < pixels; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const std::uint8_t* from =
            shown.levels.data() + static_cast<std::size_t>(y * shown.rows / pixels) * shown.columns;
        for (int column : columns)
            *line++ = lookup.level(from[column]);
    }
    return image;
}

} // namespace headscope::ui
