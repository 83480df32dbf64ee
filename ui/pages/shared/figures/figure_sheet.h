#pragma once

#include "ui/pages/shared/figures/figure.h"

#include <QImage>
#include <QSize>

namespace headscope::ui {

/// How a figure leaves the window.
struct FigureStyle
{
    bool dark = false;
    double scale = 1.0;      ///< device pixels a logical pixel, PNG only: above 0, at most 8
    QSize size = {};         ///< logical pixels of the whole picture; empty: what the figure wants
    bool caption = false;    ///< written below the drawing, too
    QByteArray session = {}; ///< a session file's content, kept in the picture's metadata; or empty
};

/// A figure on its page: title, model and sentence above the drawing, the caption below.
class FigureSheet
{
public:
    /// Throws Error when there is nothing to draw or the picture would be too large.
    FigureSheet(const Figure& figure, const FigureStyle& style);

    QSize size() const { return m_size; } ///< logical pixels, whole PDF points if not asked for

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

/// The picture in memory: "Copy image". Needs a QApplication, on its thread. Throws Error.
QImage figureImage(const Figure& figure, const FigureStyle& style);

} // namespace headscope::ui
