#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/map_content.h"

namespace headscope::ui {

/// What the head page remembers: what the cells stand for, the colours' scale, zoom.
struct HeadOptions
{
    MapKind kind = MapKind::Weights;
    MapScale scale = MapScale::Absolute;
    bool sums = true;
};

HeadOptions headOptions(const QJsonObject& options); ///< unknown values are the first ones
QJsonObject toJson(const HeadOptions& options);

/// One head large, with the sums of its rows and columns.
Figure headFigure(const Looking& looking, const QJsonObject& options);

} // namespace headscope::ui
