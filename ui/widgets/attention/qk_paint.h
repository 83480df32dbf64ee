#pragma once

#include "ui/widgets/attention/qk_layout.h"

#include <QImage>
#include <QPainter>

namespace headscope::ui {

/// Strips as images, one pixel a cell; made once for many paints.
struct QkImages
{
    QImage query, keys, products;
    bool asShapes = false; ///< vector export: a rectangle a cell, so that no viewer smooths them
};

QkImages qkImages(const QkContent& content, const Theme& theme, const QkLayout& layout,
                  double pixelRatio);

void paintQk(QPainter& painter, const QkLayout& layout, const QkContent& content,
             const QkImages& images, const Theme& theme);

} // namespace headscope::ui
