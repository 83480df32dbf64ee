#pragma once

#include "ui/widgets/arcs_layout.h"

#include <QImage>

class QPainter;

namespace headscope::ui {

/// Curves, labels, bars and headings. `curves`: an image of layout.rows() between left() and
/// right(); null for vectors, where every curve is a path.
void paintArcs(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
               const Theme& theme, const QImage& curves);

/// The picture of curves for paintArcs, its token in focus included, from the cached rest picture.
QImage curvesImage(const QImage& rest, const QImage& dimmedRest, const ArcsLayout& layout,
                   const ArcsContent& content, const Theme& theme);

/// Behind the label of the token in focus.
QRectF arcChip(const ArcsLayout& layout, const ArcsContent& content, ArcEnd end,
               const Theme& theme);

/// Bars of one head beside one token: where paintArcs draws it.
QRectF arcBar(const ArcsLayout& layout, const ArcsContent& content, ArcEnd other, int head,
              const Theme& theme);

/// The same weights between `focus` and every other token, whether their links are drawn or not.
float barWeight(const ArcsContent& content, ArcEnd focus, ArcEnd other, int head);

} // namespace headscope::ui
