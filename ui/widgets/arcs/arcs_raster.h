#pragma once

#include "ui/widgets/arcs/arcs_layout.h"

#include <QImage>

namespace headscope::ui {

/// The visible curves at rest, in device pixels, on the surface. Steep pieces are filled over their
/// whole height, so that no curve falls apart into dots.
QImage restImage(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                 double pixelRatio);

} // namespace headscope::ui
