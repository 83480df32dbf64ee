#pragma once

#include "ui/widgets/heatmap.h"

#include <compare>

namespace headscope::ui {

struct HeadIndex
{
    int layer = 0;
    int head = 0;

    friend auto operator<=>(const HeadIndex&, const HeadIndex&) = default;
};

/// A pattern shrunk by maximum, made by the worker while the pattern is hot. Levels 0..254 are
/// weights 0..1 (or -1..1 for differences); 255 is a cell that cannot be attended to.
struct HeadThumbnail
{
    static constexpr std::uint8_t kMasked = 255;

    int rows = 0;
    int columns = 0;
    std::vector<std::uint8_t> levels;
};

using ThumbnailPtr = std::shared_ptr<const HeadThumbnail>;

/// At most `largestSide` rows and columns; a lone bright cell survives, whatever its neighbours.
HeadThumbnail makeThumbnail(const HeatmapMatrix& pattern, const HeatmapMask& mask,
                            bool isSigned = false, int largestSide = 64);

QImage thumbnailImage(const HeadThumbnail& thumbnail, const ColourLookup& lookup, int pixels);

/// The same straight into a larger RGB32 image; for grids of many heads.
void writeThumbnail(QImage& sheet, QPoint corner, const HeadThumbnail& thumbnail,
                    const ColourLookup& lookup, int pixels);

} // namespace headscope::ui
