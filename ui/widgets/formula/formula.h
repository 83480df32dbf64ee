#pragma once

#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QSizeF>

class QPainter;

namespace headscope::ui {

QSizeF formulaSize(const Math& formula, double pixels, const Theme& theme);

/// Largest size up to `pixels` at which the formula is at most `width` wide, so that no number is
/// cut.
double fittingPixels(const Math& formula, double pixels, double width, const Theme& theme);

/// Height below the baseline.
double formulaDescent(const Math& formula, double pixels, const Theme& theme);

/// Paints with the top left corner at `origin`; returns the baseline's y.
double paintFormula(QPainter& painter, QPointF origin, const Math& formula, double pixels,
                    const Theme& theme);

} // namespace headscope::ui
