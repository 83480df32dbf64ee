#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// At most six pairs of dimensions as clock hands, in two columns.
void paintClocks(QPainter& painter, QRectF area, const PositionsContent& content,
                 const Theme& theme);

} // namespace headscope::ui
