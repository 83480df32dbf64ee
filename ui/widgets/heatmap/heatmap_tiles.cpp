#include "ui/widgets/heatmap/heatmap_tiles.h"

#include <cmath>

namespace headscope::ui {

namespace {

/// Pixels of the largest image that is made in one piece: 16 MiB.
constexpr std::int64_t kLargestImage = std::int64_t{2048} * 2048;

/// Tiles that are held although they are not visible, for panning: 16 MiB with the visible ones of
/// a usual window.
constexpr std::size_t kMostTiles = 64;

/// Half-open range of the tiles that cover [begin, end) of `pixels`.
std::pair<int, int> tilesIn(double begin, double end, int pixels)
{
    const int first = static_cast<int>(std::floor(std::max(begin, 0.0) / HeatmapTiles::kSide));
    const int last =
        static_cast<int>(std::ceil(std::min(end, double(pixels)) / HeatmapTiles::kSide));
    return {first, last};
}

} // namespace

bool HeatmapTiles::areNeeded(const HeatmapLayout& layout)
{
    const QSize size = layout.imageSize();
    return std::int64_t{size.width()} * size.height() > kLargestImage;
}

void HeatmapTiles::paint(QPainter& painter, const HeatmapLayout& layout,
                         const HeatmapContent& content, const Theme& theme)
{
    if (m_size != layout.imageSize())
        clear();
    m_size = layout.imageSize();
    ++m_paint;
    const QRectF all = layout.cells();
    const QRectF shown = layout.viewport();
    const double across = m_size.width() / all.width(); // pixels per logical pixel
    const double down = m_size.height() / all.height();
    const auto [left, right] =
        tilesIn((shown.x() - all.x()) * across, (shown.right() - all.x()) * across, m_size.width());
    const auto [top, bottom] =
        tilesIn((shown.y() - all.y()) * down, (shown.bottom() - all.y()) * down, m_size.height());
    for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
            const QImage& image = tileAt({column, row}, content, theme);
            const QRectF tile(all.x() + column * kSide / across, all.y() + row * kSide / down,
                              image.width() / across, image.height() / down);
            const QRectF target = tile & shown;
            painter.drawImage(target, image,
                              QRectF((target.x() - tile.x()) * across,
                                     (target.y() - tile.y()) * down, target.width() * across,
                                     target.height() * down));
        }
    }
    dropHidden();
}

const QImage& HeatmapTiles::tileAt(QPoint tile, const HeatmapContent& content, const Theme& theme)
{
    Tile& made = m_tiles[{tile.x(), tile.y()}];
    made.shown = m_paint;
    if (made.image.isNull())
        made.image =
            heatmapImage(content, theme, m_size,
                         QRect(tile * kSide, QSize(kSide, kSide)) & QRect(QPoint(), m_size));
    return made.image;
}

void HeatmapTiles::dropHidden()
{
    if (m_tiles.size() > kMostTiles)
        std::erase_if(m_tiles, [this](const auto& entry) { return entry.second.shown != m_paint; });
}

std::size_t HeatmapTiles::byteCount() const
{
    std::size_t bytes = 0;
    for (const auto& [place, tile] : m_tiles)
        bytes += static_cast<std::size_t>(tile.image.sizeInBytes());
    return bytes;
}

} // namespace headscope::ui
