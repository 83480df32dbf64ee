#pragma once

#include "ui/pages/shared/stages/lab_arrangement.h"
#include "ui/pages/shared/stages/lab_content.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// What a picture asks for, without title and caption.
RoomWish roomWish(const LabPicture& picture, const Theme& theme);

/// A picture without a widget: for files. `frame` of tiles: how many are done.
void paintPicture(QPainter& painter, const QRectF& area, const LabPicture& picture,
                  const Theme& theme, const FigureTarget& target, int frame = -1);

} // namespace headscope::ui
