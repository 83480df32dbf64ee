#pragma once

#include "ui/widgets/heads/head_thumbnail.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui {

struct HeadGridContent
{
    int layers = 0;
    int heads = 0;
    int keyValueHeads = 0;                ///< Number of key-value heads; 0 or `heads`: no brackets.
    std::vector<ThumbnailPtr> thumbnails; ///< Thumbnails, layer-major; null while not computed.
    MapName map = MapName::Depth;         ///< Colour map; Balance for B - A.
    std::vector<int> order;               ///< Head at each place, layer-major; empty: by number.
    double largestSide = 32.0;            ///< Size of a map where there is room, at scale 1.
    bool outlined = false; ///< Draws a hairline around each map, for maps of one value per head.
    std::optional<GridCell> selected;
    std::set<GridCell> switchedOff;
    std::map<GridCell, int> pinned; ///< Slot of the head hue of each pinned head.

    ThumbnailPtr at(GridCell index) const;
    bool contains(GridCell index) const;
    bool hasSinks() const; ///< True if a thumbnail has the strip of an attention sink.
};

} // namespace headscope::ui
