#pragma once

#include "ui/widgets/charts/distance/distance_layout.h"

class QPainter;

namespace headscope::ui {

void paintDistance(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                   const Theme& theme);

} // namespace headscope::ui
