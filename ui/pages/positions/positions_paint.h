#pragma once

#include "ui/pages/positions/positions_layout.h"

class QPainter;

namespace headscope::ui {

/// Waves, matrix and similarity.
void paintPositions(QPainter& painter, const PositionsLayout& layout,
                    const PositionsContent& content, const Theme& theme);

} // namespace headscope::ui
