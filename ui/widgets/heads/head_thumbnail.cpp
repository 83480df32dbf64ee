#include "ui/widgets/heads/head_thumbnail.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {
namespace {

/// Minus infinity, the weight of a masked cell.
constexpr float kUnseen = -std::numeric_limits<float>::infinity();

constexpr int kLeastStrip = 2; ///< Pixels of the sink's column in small thumbnails.
constexpr int kStrips = 10;    ///< The sink's column is a tenth of larger ones.

/// Level 0..254 of a weight, of -1..1 when signed.
std::uint8_t levelOf(float value, bool isSigned)
{
    const float unit = isSigned ? 0.5F + 0.5F * value : value;
    const float level = std::clamp(unit * 254.0F, 0.0F, 254.0F);
    return std::isnan(level) ? std::uint8_t{0} : static_cast<std::uint8_t>(std::lround(level));
}

/// True for the larger magnitude; a visible cell outranks a masked one.
bool outranks(std::uint8_t level, std::uint8_t other, bool isSigned)
{
    if (level == HeadThumbnail::kMasked || other == HeadThumbnail::kMasked)
        return other == HeadThumbnail::kMasked && level != HeadThumbnail::kMasked;
    return isSigned ? std::abs(level - 127) > std::abs(other - 127) : level > other;
}

/// Bin of each of `count` cells.
std::vector<int> binsOf(int count, int bins)
{
    std::vector<int> result(static_cast<std::size_t>(count));
    for (int cell = 0; cell < count; ++cell)
        result[static_cast<std::size_t>(cell)] =
            static_cast<int>(static_cast<std::int64_t>(cell) * bins / count);
    return result;
}

/// Largest levels of `rows` bins of a sink; empty for an empty one.
std::vector<std::uint8_t> pooledSink(const std::vector<std::uint8_t>& sink, int rows, bool isSigned)
{
    std::vector<std::uint8_t> result;
    if (sink.empty())
        return result;
    result.assign(static_cast<std::size_t>(rows), HeadThumbnail::kMasked);
    const std::vector<int> bins = binsOf(static_cast<int>(sink.size()), rows);
    for (std::size_t row = 0; row < sink.size(); ++row) {
        std::uint8_t& best = result[static_cast<std::size_t>(bins[row])];
        if (outranks(sink[row], best, isSigned))
            best = sink[row];
    }
    return result;
}

HeadThumbnail pooled(const HeadThumbnail& source, int rows, int columns, bool isSigned)
{
    HeadThumbnail result{rows, columns, {}, pooledSink(source.sink, rows, isSigned)};
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

ThumbnailBuilder::ThumbnailBuilder(int rows, int columns, const HeatmapMask& mask, bool isSigned,
                                   int largestSide)
    : m_mask(mask)
    , m_isSigned(isSigned)
{
    const int side = std::max(largestSide, 1);
    const auto blockOf = [side](int count) { return std::max((count + side - 1) / side, 1); };
    m_pattern.rows = std::max(rows, 0);
    m_pattern.columns = std::max(columns, 0);
    m_rowBlock = blockOf(m_pattern.rows);
    m_columnBlock = blockOf(m_pattern.columns);
    m_rows = (m_pattern.rows + m_rowBlock - 1) / m_rowBlock;
    m_columns = (m_pattern.columns + m_columnBlock - 1) / m_columnBlock;
    m_best.assign(static_cast<std::size_t>(m_rows) * m_columns, kUnseen);
}

int ThumbnailBuilder::takeOver(const HeadThumbnail& before, int beforeRows, int beforeColumns,
                               int changed)
{
    const ThumbnailBuilder other(beforeRows, beforeColumns, m_mask, m_isSigned,
                                 std::max(before.rows, before.columns));
    const bool sameBlocks = other.m_rowBlock == m_rowBlock && other.m_columnBlock == m_columnBlock;
    if (!sameBlocks || before.rows != other.m_rows || before.columns != other.m_columns)
        return 0;
    const int kept = std::min({changed / m_rowBlock, before.rows, m_rows});
    m_taken.assign(static_cast<std::size_t>(kept) * m_columns, HeadThumbnail::kMasked);
    const int columns = std::min(before.columns, m_columns);
    for (int row = 0; row < kept; ++row)
        std::copy_n(before.levels.data() + static_cast<std::size_t>(row) * before.columns, columns,
                    m_taken.data() + static_cast<std::size_t>(row) * m_columns);
    m_takenSink.assign(before.sink.begin(), before.sink.begin() + (before.sink.empty() ? 0 : kept));
    return kept * m_rowBlock;
}

void ThumbnailBuilder::add(const float* values, int first, int count)
{
    for (int row = 0; row < count; ++row)
        addRow(values + static_cast<std::size_t>(row) * m_pattern.columns, first + row);
}

void ThumbnailBuilder::addRow(const float* values, int row)
{
    const auto [first, last] = m_mask.visibleColumns(row, m_pattern);
    float* line = m_best.data() + static_cast<std::size_t>(row / m_rowBlock) * m_columns;
    const bool byCells = m_mask.kind == HeatmapMask::Kind::Cells;
    for (int column = first; column < last;) {
        const int end = std::min((column / m_columnBlock + 1) * m_columnBlock, last);
        float& best = line[column / m_columnBlock];
        for (; column < end; ++column)
            if (!byCells || !m_mask.hides({row, column}, m_pattern))
                addCell(values[column], best);
    }
}

/// Keeps the larger magnitude; a visible cell outranks a masked one.
void ThumbnailBuilder::addCell(float value, float& best) const
{
    if (std::isnan(value))
        value = 0.0F;
    if (m_isSigned && best != kUnseen && std::isfinite(value)) {
        if (std::abs(value) > std::abs(best))
            best = value;
    } else {
        best = std::max(best, value);
    }
}

void ThumbnailBuilder::addSink(const std::vector<float>& weights, int first)
{
    if (!weights.empty())
        m_bestSink.resize(static_cast<std::size_t>(m_rows), kUnseen);
    for (std::size_t row = 0; row < weights.size(); ++row)
        if (!std::isnan(weights[row]))
            addCell(weights[row], m_bestSink[(row + static_cast<std::size_t>(first)) /
                                             static_cast<std::size_t>(m_rowBlock)]);
}

/// Appends the levels of cells beyond those already taken over.
void ThumbnailBuilder::appendLevels(std::vector<std::uint8_t>& levels,
                                    const std::vector<float>& best) const
{
    for (std::size_t cell = levels.size(); cell < best.size(); ++cell)
        levels.push_back(best[cell] == kUnseen ? HeadThumbnail::kMasked
                                               : levelOf(best[cell], m_isSigned));
}

HeadThumbnail ThumbnailBuilder::take()
{
    HeadThumbnail result{m_rows, m_columns, std::move(m_taken), std::move(m_takenSink)};
    appendLevels(result.levels, m_best);
    appendLevels(result.sink, m_bestSink);
    return result;
}

HeadThumbnail makeThumbnail(const HeatmapMatrix& pattern, const HeatmapMask& mask, bool isSigned,
                            int largestSide, const std::vector<float>& sink)
{
    ThumbnailBuilder builder(pattern.rows, pattern.columns, mask, isSigned, largestSide);
    if (!pattern.isEmpty()) {
        builder.add(pattern.values.get(), 0, pattern.rows);
        builder.addSink(sink, 0);
    }
    return builder.take();
}

QImage thumbnailImage(const HeadThumbnail& thumbnail, const ColourLookup& lookup, int pixels)
{
    if (thumbnail.levels.empty() || pixels <= 0)
        return {};
    QImage image(pixels, pixels, QImage::Format_RGB32);
    writeThumbnail(image, {0, 0}, thumbnail, lookup, pixels);
    return image;
}

void writeThumbnail(QImage& page, QPoint corner, const HeadThumbnail& thumbnail,
                    const ColourLookup& lookup, int pixels)
{
    if (thumbnail.levels.empty() || pixels <= 0 ||
        !page.rect().contains(QRect(corner, QSize(pixels, pixels))))
        return;
    const bool hasStrip = !thumbnail.sink.empty() && pixels >= kLeastPixelsWithStrip;
    const int strip = hasStrip ? std::max(kLeastStrip, pixels / kStrips) : 0;
    const int width = pixels - (strip > 0 ? strip + 1 : 0); // one pixel apart
    const bool shrinks = thumbnail.rows > pixels || thumbnail.columns > width;
    const HeadThumbnail smaller =
        shrinks ? pooled(thumbnail, std::min(thumbnail.rows, pixels),
                         std::min(thumbnail.columns, width), lookup.isSigned())
                : HeadThumbnail();
    const HeadThumbnail& shown = shrinks ? smaller : thumbnail;
    std::vector<int> columns(static_cast<std::size_t>(width));
    for (std::size_t x = 0; x < columns.size(); ++x)
        columns[x] = static_cast<int>(x) * shown.columns / width;
    for (int y = 0; y < pixels; ++y) {
        auto* line = reinterpret_cast<QRgb*>(page.scanLine(corner.y() + y)) + corner.x();
        const auto row = static_cast<std::size_t>(y * shown.rows / pixels);
        const std::uint8_t* from = shown.levels.data() + row * shown.columns;
        for (int column : columns)
            *line++ = lookup.level(from[column]);
        if (strip > 0)
            *line++ = lookup.colour(0.0F); // the page shows through
        for (int x = 0; x < strip; ++x)
            *line++ = lookup.level(shown.sink[row]);
    }
}

} // namespace headscope::ui
