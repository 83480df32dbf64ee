#pragma once

#include "ui/widgets/arcs/arcs_layout.h"
#include "ui/widgets/heatmap/column_cover.h"

namespace headscope::ui {

/// Converts a y coordinate of the layout to device pixels in the image of its rows.
inline float inImage(double y, const ArcsLayout& layout, double ratio)
{
    return static_cast<float>((y - layout.rows().y()) * ratio);
}

} // namespace headscope::ui
