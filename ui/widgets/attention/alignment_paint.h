#pragma once

#include "ui/widgets/attention/alignment_layout.h"

class QPainter;

namespace headscope::ui {

void paintAlignment(QPainter& painter, const AlignmentLayout& layout,
                    const AlignmentContent& content, const Theme& theme);

} // namespace headscope::ui
