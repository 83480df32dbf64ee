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
    int keyValueHeads = 0;                ///< 0 or `heads`: no brackets
    std::vector<ThumbnailPtr> thumbnails; ///< layer-major, null while not computed
    MapName map = MapName::Depth;         ///< Balance for B - A
    std::vector<int> order;               ///< layer-major, head at each place; empty: by number
    bool outlined = false;                ///< a hairline around each: for maps of one value a head
    std::optional<GridCell> selected;
    std::set<GridCell> switchedOff;
    std::map<GridCell, int> pinned; ///< slot of the head hue

    ThumbnailPtr at(GridCell index) const;
    bool contains(GridCell index) const;
};

} // namespace headscope::ui
