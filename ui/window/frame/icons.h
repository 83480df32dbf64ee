#pragma once

#include <QColor>
#include <QPixmap>

namespace headscope::ui {

inline constexpr const char* kChevronDown = "<path d='M5.5 8l4.5 4.5L14.5 8'/>";

/// SVG elements in a box of 20, "@" for the colour, drawn with a round stroke of 1.5 px in one
/// colour; `side` logical pixels.
QPixmap iconPixmap(const QString& elements, const QColor& colour, int side, double pixelRatio);

} // namespace headscope::ui
