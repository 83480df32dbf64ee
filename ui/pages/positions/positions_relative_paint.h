#pragma once

#include "ui/pages/positions/positions_relative.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

void paintRelative(QPainter& painter, QRectF area, const RelativeContent& content,
                   const Theme& theme);

} // namespace headscope::ui
