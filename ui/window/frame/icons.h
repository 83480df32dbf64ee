#pragma once

#include <QColor>
#include <QPixmap>

namespace headscope::ui {

inline constexpr const char* kChevronDown = "<path d='M5.5 8l4.5 4.5L14.5 8'/>";

/// Icon from SVG elements in a 20 × 20 box, stroked with round caps, 1.5 px wide, in one colour
/// ("@" stands for it); `side` in logical pixels.
QPixmap iconPixmap(const QString& elements, const QColor& colour, int side, double pixelRatio);

} // namespace headscope::ui
