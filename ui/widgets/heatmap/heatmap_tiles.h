#pragma once

#include "ui/widgets/heatmap/heatmap_layout.h"

#include <QPainter>

#include <map>

namespace headscope::ui {

/// Image of a large map in square tiles, each made on its first paint: the zoomed map of 8,192
/// tokens has 67 million pixels, its viewport one. Holds the tiles of one zoom step, a bounded
/// number of them.
class HeatmapTiles
{
public:
    static constexpr int kSide = 256; ///< Pixels along a tile's side.

    /// True where one image of all cells would be too large.
    static bool areNeeded(const HeatmapLayout& layout);

    /// Paints the cells within the layout's viewport.
    void paint(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
               const Theme& theme);

    /// Forgets the tiles, whose content or colours have changed.
    void clear() { m_tiles.clear(); }

    std::size_t byteCount() const;

private:
    struct Tile
    {
        QImage image;
        int shown = 0; ///< Number of the paint in which it was last visible.
    };

    const QImage& tileAt(QPoint tile, const HeatmapContent& content, const Theme& theme);
    void dropHidden();

    QSize m_size; ///< Pixels of the whole image.
    int m_paint = 0;
    std::map<std::pair<int, int>, Tile> m_tiles; ///< By column and row of the tile.
};

} // namespace headscope::ui
