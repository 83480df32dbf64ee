#pragma once

#include "ui/widgets/worked/worked_picture.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// Contributions to a weighted sum as one bar from 0: positive to the right, negative to the left,
/// the sum marked.
struct ShareBar
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
ShareBar shareBar(const WorkedPicture& picture);

/// True if steps of the current stage have a bar of contributions.
bool hasShareBar(const WorkedPicture& picture);

double shareBarHeight(const Theme& theme);
void paintShareBar(QPainter& painter, QRectF area, const ShareBar& bar, const Theme& theme);

} // namespace headscope::ui
