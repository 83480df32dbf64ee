#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/map_content.h"

namespace headscope::ui {

/// Persistent options of the head page: quantity in the cells, colour scale, zoom.
struct HeadOptions
{
    MapKind kind = MapKind::Weights;
    MapScale scale = MapScale::Absolute;
    bool sums = true;
};

HeadOptions headOptions(const QJsonObject& options); ///< Unknown values become the first ones.
QJsonObject toJson(const HeadOptions& options);

/// Large figure of one head, with the sums of its rows and columns.
Figure headFigure(const ViewSnapshot& view, const QJsonObject& options);

} // namespace headscope::ui
