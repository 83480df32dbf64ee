#pragma once

#include "ui/widgets/arcs/arcs_layout.h"

#include <QImage>

class QPainter;

namespace headscope::ui {

/// What is kept of a picture, so that another token in focus costs its own links only. Curves are
/// images of layout.rows() between left() and right().
struct ArcsImages
{
    QImage rest;   ///< curves without a focus; null for vectors, where every curve is a path
    QImage dimmed; ///< the same behind a focus; null until prepareFocus
    QImage behind; ///< the whole area with dimmed curves, labels and headings
    QImage focus;  ///< room for the curves of a focus over the dimmed ones
};

ArcsImages arcsImages(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                      double pixelRatio);

/// Fills `dimmed` and `behind`: the area begins at 0, 0 and has this size.
void prepareFocus(ArcsImages& images, const ArcsContent& content, const ArcsLayout& layout,
                  const Theme& theme, QSize size);

/// Curves, labels, bars and headings.
void paintArcs(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
               const Theme& theme, const ArcsImages& images);

/// The same with the token in focus over images.behind.
void paintFocused(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                  const Theme& theme, ArcsImages& images);

/// Behind the label of the token in focus.
QRectF arcChip(const ArcsLayout& layout, const ArcsContent& content, ArcEnd end,
               const Theme& theme);

/// Bars of one head beside one token: where paintArcs draws it.
QRectF arcBar(const ArcsLayout& layout, const ArcsContent& content, ArcEnd other, int head,
              const Theme& theme);

/// The same weights between `focus` and every other token, whether their links are drawn or not.
float barWeight(const ArcsContent& content, ArcEnd focus, ArcEnd other, int head);

} // namespace headscope::ui
