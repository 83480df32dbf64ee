#pragma once

#include "ui/pages/architecture/architecture_layout.h"

class QPainter;

namespace headscope::ui {

void paintArchitecture(QPainter& painter, QPointF origin, const ArchitectureLayout& layout,
                       const ArchitectureContent& content, const Theme& theme);

/// Accessible text: "q, block 2, attention; outputs [12, 4 × 16]; 4 160 parameters; opens head".
QString describeBox(const ArchitectureBox& box);

} // namespace headscope::ui
