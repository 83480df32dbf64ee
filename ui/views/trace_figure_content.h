#pragma once

#include "ui/views/trace_figure.h"
#include "ui/widgets/colour_bar.h"
#include "ui/widgets/head_grid.h"

namespace headscope::ui {

/// A request with everything looked up, ready to be painted.
struct FigureContent
{
    FigureView view = FigureView::Head;
    QString title;    ///< "Layer 2 · Head 3"
    QString subtitle; ///< "builtin:stories"
    QString sentence;
    QString model;
    HeatmapContent map;
    HeatmapOptions mapOptions;
    ColourBarContent legend;
    HeadGridContent grid;
    PositionsContent positions;
    QSize size; ///< logical pixels
};

/// How the target keeps what is drawn.
enum class FigureTarget { Pixels, Vectors };

FigureContent figureContent(const FigureRequest& request, const Theme& theme); ///< throws Error

void paintFigure(QPainter& painter, const FigureContent& content, const Theme& theme,
                 FigureTarget target, double pixelRatio);

} // namespace headscope::ui
