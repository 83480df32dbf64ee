#pragma once

#include <QRect>

class QPainter;
class QWidget;

namespace headscope::ui {

/// Paints the frame of a drawn widget that has the keyboard focus, or of the part of it in `area`;
/// nothing without the focus.
void paintFocusFrame(QPainter& painter, const QWidget& widget);
void paintFocusFrame(QPainter& painter, const QWidget& widget, const QRect& area);

} // namespace headscope::ui
