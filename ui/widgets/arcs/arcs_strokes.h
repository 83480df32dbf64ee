#pragma once

#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/arcs/arcs_layout.h"

#include <QImage>

#include <vector>

namespace headscope::ui {

/// The curves at rest with the surface laid over them, behind a token in focus.
QImage dimmed(const QImage& image, const QColor& surface);

/// The curves of the token in focus, over the dimmed image of all.
void strokeFocus(QImage& image, const std::vector<FocusArc>& arcs, const ArcsLayout& layout,
                 const Theme& theme, double pixelRatio);

} // namespace headscope::ui
