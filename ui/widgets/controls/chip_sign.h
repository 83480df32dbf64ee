#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>

class QPainter;

namespace headscope::ui {

/// Kind of a chip's 16 px sign.
enum class ChipSign { Hatch, Waves, Crossed, Cell, Exchange, Arrow, Lock, Text, Model };

/// Paints the sign in a box of 16 logical pixels.
void paintChipSign(QPainter& painter, QRectF box, ChipSign sign, const QColor& colour);

/// Paints an eye, open for an enabled change, closed and crossed out for a disabled one.
void paintEye(QPainter& painter, QPointF middle, bool open, const QColor& colour);

} // namespace headscope::ui
