#pragma once

#include "ui/widgets/arcs/arcs_layout.h"

#include <QImage>

class QPainter;

namespace headscope::ui {

/// Cached images, so that another focused token only costs its own links. Curves are images of
/// layout.rows() between left() and right().
struct ArcsImages
{
    QImage rest;   ///< Unfocused curves; null for vector output, where every curve is a path.
    QImage dimmed; ///< Dimmed curves behind a focus; null until prepareFocus.
    QImage behind; ///< Whole area with dimmed curves, labels and headings.
    QImage focus;  ///< Buffer for the focused curves over the dimmed ones.
};

ArcsImages arcsImages(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                      double pixelRatio);

/// Fills `dimmed` and `behind` for an area of this size at 0, 0.
void prepareFocus(ArcsImages& images, const ArcsContent& content, const ArcsLayout& layout,
                  const Theme& theme, QSize size);

/// Paints curves, labels, bars and headings.
void paintArcs(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
               const Theme& theme, const ArcsImages& images);

/// Paints the focused token over images.behind.
void paintFocused(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                  const Theme& theme, ArcsImages& images);

/// Chip behind the label of the focused token.
QRectF arcChip(const ArcsLayout& layout, const ArcsContent& content, ArcEnd end,
               const Theme& theme);

/// Bar of one head beside one token, as paintArcs draws it.
QRectF arcBar(const ArcsLayout& layout, const ArcsContent& content, ArcEnd other, int head,
              const Theme& theme);

/// Weight between `focus` and another token, whether its link is drawn or not.
float barWeight(const ArcsContent& content, ArcEnd focus, ArcEnd other, int head);

} // namespace headscope::ui
