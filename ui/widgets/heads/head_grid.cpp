#include "ui/widgets/heads/head_grid.h"

#include <algorithm>
#include <cstddef>

namespace headscope::ui {

ThumbnailPtr HeadGridContent::at(GridCell index) const
{
    const auto place = static_cast<std::size_t>(index.layer) * heads + index.head;
    return contains(index) && place < thumbnails.size() ? thumbnails[place] : nullptr;
}

bool HeadGridContent::contains(GridCell index) const
{
    return index.layer >= 0 && index.layer < layers && index.head >= 0 && index.head < heads;
}

bool HeadGridContent::hasSinks() const
{
    return std::ranges::any_of(thumbnails, [](const ThumbnailPtr& thumbnail) {
        return thumbnail && !thumbnail->sink.empty();
    });
}

} // namespace headscope::ui
