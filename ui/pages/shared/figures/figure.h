#pragma once

#include "ui/session/view_snapshot.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/theme.h"

#include <QJsonObject>
#include <QSizeF>

#include <functional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// Target of a drawing: pixels, or vectors (SVG, PDF), where maps of up to 64 tokens become shapes
/// and larger images are enlarged by integer factors so that no viewer smooths them.
struct FigureTarget
{
    bool vectors = false;
    double pixelRatio = 1.0;
};

/// Data of a figure as written to CSV, NPY and JSON files.
struct NumberTable
{
    QString name; ///< Name such as "pattern": part of a file's name when there are several.
    QStringList rows;
    QStringList columns;
    HeatmapMatrix values; ///< Values [rows, columns].
};

/// Values of a map; the weights on an attention sink follow in a last column, "(sink)".
NumberTable numbersOf(const QString& name, const HeatmapContent& map);

/// A view with its pinned and hovered state, independent of any widget: a pure function of a
/// ViewSnapshot and the view's own options. The window, exports and `headscope render` share it.
struct Figure
{
    QString title;    ///< Title such as "Layer 2 · Head 3".
    QString subtitle; ///< Subtitle such as "builtin:stories, B: head 2.3 ablated".
    QString sentence;
    QString caption; ///< One or two sentences for below the figure in a paper, including the scale.

    /// Preferred size of the drawing in logical pixels, without the header above it.
    std::function<QSizeF(const Theme&)> size;
    std::function<void(QPainter&, const QRectF& area, const Theme&, const FigureTarget&)> paint;
    std::vector<NumberTable> numbers;
};

/// Image prepared for a target: for vectors, enlarged by an integer factor without smoothing.
QImage crispImage(const QImage& image, const FigureTarget& target);

/// Side of a map's cells in a figure, in pixels of the theme, where `longer` is the larger number of
/// rows and columns: at least 1 until the map has 1200 of them.
double figureCell(int longer, const Theme& theme);

/// Fills subtitle and sentence from the shown variant.
Figure figureOf(const ViewSnapshot& view, const QString& title);

} // namespace headscope::ui
