#pragma once

#include "ui/widgets/attention/qk_layout.h"

#include <QImage>
#include <QPainter>

namespace headscope::ui {

/// Cached images of the strips, one pixel per cell.
struct QkImages
{
    QImage query, keys, products;
    /// Vector export: one rectangle per cell, so that viewers do not smooth them.
    bool asShapes = false;
};

QkImages qkImages(const QkContent& content, const Theme& theme, const QkLayout& layout,
                  double pixelRatio);

void paintQk(QPainter& painter, const QkLayout& layout, const QkContent& content,
             const QkImages& images, const Theme& theme);

} // namespace headscope::ui
