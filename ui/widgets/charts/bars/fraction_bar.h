#pragma once

#include "ui/widgets/worked/worked_diagram.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// Contributions to a weighted sum as one bar from 0: positive to the right, negative to the left,
/// the sum marked.
struct FractionBar
{
    struct Part
    {
        QString label;
        double value = 0.0;
    };

    std::vector<Part> parts;
    double sum = 0.0;

    bool isEmpty() const { return parts.empty(); }

    double low() const;  ///< Low end of the axis, at most 0.
    double high() const; ///< High end of the axis, above 0.
};

/// Contributions of a step that adds values by their weights; empty for any other, and while its
/// answer is asked for.
FractionBar fractionBar(const WorkedDiagram& image);

/// True if steps of the current stage have a bar of contributions.
bool hasFractionBar(const WorkedDiagram& image);

double fractionBarHeight(const Theme& theme);
void paintFractionBar(QPainter& painter, QRectF area, const FractionBar& bar, const Theme& theme);

} // namespace headscope::ui
