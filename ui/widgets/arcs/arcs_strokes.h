#pragma once

#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/arcs/arcs_layout.h"

#include <QImage>

#include <vector>

namespace headscope::ui {

/// Unfocused curves blended with the surface, as the background of a focused token.
QImage dimmed(const QImage& image, const QColor& surface);

/// Draws the curves of the focused token over the dimmed image.
void strokeFocus(QImage& image, const std::vector<FocusArc>& arcs, const ArcsLayout& layout,
                 const Theme& theme, double pixelRatio);

} // namespace headscope::ui
