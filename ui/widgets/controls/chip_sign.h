#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>

class QPainter;

namespace headscope::ui {

/// What a chip's 16 px picture says.
enum class ChipSign { Hatch, Waves, Crossed, Cell, Exchange, Arrow, Lock, Text, Model };

/// The sign's lines in a box of 16 logical pixels.
void paintChipSign(QPainter& painter, QRectF box, ChipSign sign, const QColor& colour);

/// Open: in force. Closed, with a line across: switched off.
void paintEye(QPainter& painter, QPointF middle, bool open, const QColor& colour);

} // namespace headscope::ui
