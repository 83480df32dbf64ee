#pragma once

#include "ui/widgets/arcs/arcs_layout.h"

#include <QImage>

namespace headscope::ui {

/// Image of the visible unfocused curves in device pixels on the surface. Steep pieces are filled
/// over their whole height, so that curves have no gaps.
QImage restImage(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                 double pixelRatio);

} // namespace headscope::ui
