#pragma once

#include "ui/pages/shared/figures/figure.h"

#include <QImage>
#include <QSize>

namespace headscope::ui {

/// Export options of a figure.
struct FigureStyle
{
    bool dark = false;
    double scale = 1.0; ///< Device pixels per logical pixel, PNG only: above 0, at most 8.
    QSize size = {};    ///< Size of the whole figure in logical pixels; empty: the preferred size.
    bool caption = false; ///< Whether the caption is also written below the drawing.
    /// Content of a session file, embedded in the figure's metadata; or empty.
    QByteArray session = {};
};

/// A figure laid out for export: title, model and sentence above the drawing, the caption below.
class FigurePage
{
public:
    /// Lays out the figure. Throws Error when there is nothing to draw or the figure would be too
    /// large.
    FigurePage(const Figure& figure, const FigureStyle& style);

    QSize size() const { return m_size; } ///< Logical pixels; whole PDF points if not requested.

    const Figure& figure() const { return m_figure; }

    void paint(QPainter& painter, const FigureTarget& target) const;
    QImage image(double scale) const;

private:
    double headerHeight(double width) const;
    double captionHeight(double width) const;
    void paintHeader(QPainter& painter) const;
    void paintCaption(QPainter& painter) const;

    Figure m_figure;
    Theme m_theme;
    bool m_hasCaption = false;
    QSize m_size;
    QRectF m_header;
    QRectF m_body;
    QRectF m_caption;
};

/// Image in memory, for "Copy image". Needs a QApplication, on its thread. Throws Error.
QImage figureImage(const Figure& figure, const FigureStyle& style);

} // namespace headscope::ui
