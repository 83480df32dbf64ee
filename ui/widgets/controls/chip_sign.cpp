#include "ui/widgets/controls/chip_sign.h"

#include <QPainter>
#include <QPainterPath>

#include <initializer_list>

namespace headscope::ui {

void paintChipSign(QPainter& painter, QRectF box, ChipSign sign, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 16.0, box.height() / 16.0);
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const QRectF frame(2, 2, 12, 12);
    const auto lines = [&painter](std::initializer_list<QLineF> all) {
        painter.drawLines(all.begin(), static_cast<int>(all.size()));
    };
    switch (sign) {
    case ChipSign::Hatch:
        painter.drawRoundedRect(frame, 1, 1);
        lines({{2.5, 9, 9, 2.5}, {3, 13, 13, 3}, {7, 13.5, 13.5, 7}});
        break;
    case ChipSign::Waves: {
        QPainterPath wave(QPointF(1.5, 8));
        wave.cubicTo(4, 1, 5.5, 1, 8, 8);
        wave.cubicTo(10.5, 15, 12, 15, 14.5, 8);
        painter.drawPath(wave);
        break;
    }
    case ChipSign::Crossed:
        painter.drawRoundedRect(frame, 1, 1);
        lines({{2.5, 2.5, 13.5, 13.5}});
        break;
    case ChipSign::Cell:
        painter.drawRoundedRect(frame, 1, 1);
        painter.fillRect(QRectF(5.5, 5.5, 5, 5), colour);
        break;
    case ChipSign::Exchange:
        lines({{2, 5, 13, 5},
               {10, 2, 13, 5},
               {10, 8, 13, 5},
               {14, 11, 3, 11},
               {6, 8.5, 3, 11},
               {6, 13.5, 3, 11}});
        break;
    case ChipSign::Arrow:
        painter.drawRoundedRect(QRectF(1.5, 5, 5, 6), 1, 1);
        lines({{8.5, 8, 14.5, 8}, {11.5, 5, 14.5, 8}, {11.5, 11, 14.5, 8}});
        break;
    case ChipSign::Lock:
        painter.drawRoundedRect(QRectF(3, 7, 10, 7), 1, 1);
        painter.drawArc(QRectF(5, 2, 6, 9), 0, 180 * 16);
        break;
    case ChipSign::Text:
        lines({{2, 4, 14, 4}, {2, 8, 14, 8}, {2, 12, 9, 12}});
        break;
    case ChipSign::Model:
        lines({{8, 1.5, 14.5, 5},
               {14.5, 5, 8, 8.5},
               {8, 8.5, 1.5, 5},
               {1.5, 5, 8, 1.5},
               {1.5, 8.5, 8, 12},
               {8, 12, 14.5, 8.5}});
        break;
    }
    painter.restore();
}

void paintEye(QPainter& painter, QPointF middle, bool open, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle);
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    QPainterPath lids(QPointF(-6.5, 0));
    lids.quadTo(0, -7.5, 6.5, 0);
    lids.quadTo(0, 7.5, -6.5, 0);
    painter.drawPath(lids);
    if (open) {
        painter.setBrush(colour);
        painter.drawEllipse(QPointF(0, 0), 1.5, 1.5);
    } else {
        painter.drawLine(QPointF(-5.5, 5.5), QPointF(5.5, -5.5));
    }
    painter.restore();
}

} // namespace headscope::ui
