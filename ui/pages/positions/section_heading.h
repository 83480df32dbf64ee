#pragma once

#include "ui/widgets/style/theme.h"

#include <QPointF>

class QPainter;

namespace headscope::ui {

/// A bold title with a lighter description; returns where the text ends.
double paintSectionHeading(QPainter& painter, QPointF topLeft, const QString& title,
                           const QString& rest, const Theme& theme);

} // namespace headscope::ui
