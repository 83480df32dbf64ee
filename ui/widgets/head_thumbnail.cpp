#include "ui/widgets/head_thumbnail.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

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

QImage thumbnailImage(const HeadThumbnail& thumbnail, const ColourLookup& lookup, int pixels)
{
    if (thumbnail.levels.empty() || pixels <= 0)
        return {};
    QImage image(pixels, pixels, QImage::Format_RGB32);
    writeThumbnail(image, {0, 0}, thumbnail, lookup, pixels);
    return image;
}

void writeThumbnail(QImage& sheet, QPoint corner, const HeadThumbnail& thumbnail,
                    const ColourLookup& lookup, int pixels)
{
    if (thumbnail.levels.empty() || pixels <= 0 ||
        !sheet.rect().contains(QRect(corner, QSize(pixels, pixels))))
        return;
    const bool shrinks = thumbnail.rows > pixels || thumbnail.columns > pixels;
    const HeadThumbnail smaller =
        shrinks ? pooled(thumbnail, std::min(thumbnail.rows, pixels),
                         std::min(thumbnail.columns, pixels), lookup.isSigned())
                : HeadThumbnail();
    const HeadThumbnail& shown = shrinks ? smaller : thumbnail;
    std::vector<int> columns(static_cast<std::size_t>(pixels));
    for (int x = 0; x < pixels; ++x)
        columns[static_cast<std::size_t>(x)] = x * shown.columns / pixels;
    for (int y = 0; y < pixels; ++y) {
        auto* line = reinterpret_cast<QRgb*>(sheet.scanLine(corner.y() + y)) + corner.x();
        const std::uint8_t* from =
            shown.levels.data() + static_cast<std::size_t>(y * shown.rows / pixels) * shown.columns;
        for (int column : columns)
            *line++ = lookup.level(from[column]);
    }
}

} // namespace headscope::ui
