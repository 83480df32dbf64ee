#pragma once

#include "ui/session/looking.h"
#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/style/theme.h"

#include <QJsonObject>
#include <QSizeF>

#include <functional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// What keeps a drawing: pixels, or vectors (SVG, PDF), where maps of up to 64 tokens become shapes
/// and larger images are enlarged by whole numbers so that no viewer smooths them.
struct FigureTarget
{
    bool vectors = false;
    double pixelRatio = 1.0;
};

/// One table behind a picture: what CSV, NPY and JSON files hold.
struct NumberTable
{
    QString name; ///< "pattern": part of a file's name when there are several
    QStringList rows;
    QStringList columns;
    HeatmapMatrix values; ///< [rows, columns]
};

/// A view as it stands, pinned and hovered state included, apart from any widget: a pure function
/// of a Looking and the view's own options. The window, exports and `headscope render` share it.
struct Figure
{
    QString title;    ///< "Layer 2 · Head 3"
    QString subtitle; ///< "builtin:stories, B: head 2.3 off"
    QString sentence;
    QString caption; ///< one or two sentences for below the figure in a paper, scale in words

    /// Logical pixels that the drawing wants, without the header that is drawn above it.
    std::function<QSizeF(const Theme&)> size;
    std::function<void(QPainter&, const QRectF& area, const Theme&, const FigureTarget&)> paint;
    std::vector<NumberTable> numbers;
};

/// An image as a target wants it: for vectors, enlarged by a whole number without smoothing.
QImage crispImage(const QImage& image, const FigureTarget& target);

/// Fills subtitle and sentence from the shown run.
Figure figureOf(const Looking& looking, const QString& title);

} // namespace headscope::ui
