#pragma once

#include "ui/widgets/worked/worked_picture.h"

#include <QRectF>

class QPainter;

namespace headscope::ui {

/// What each part adds to a weighted sum, as one bar from 0: parts above 0 to the right, those
/// below to the left, the sum marked.
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

    double low() const;  ///< of the axis, at most 0
    double high() const; ///< of the axis, above 0
};

/// Of a step that adds values by their weights; empty for any other, and while it is asked for.
ShareBar shareBar(const WorkedPicture& picture);

/// Whether steps of the stage that is shown have one.
bool hasShareBar(const WorkedPicture& picture);

double shareBarHeight(const Theme& theme);
void paintShareBar(QPainter& painter, QRectF area, const ShareBar& bar, const Theme& theme);

} // namespace headscope::ui
