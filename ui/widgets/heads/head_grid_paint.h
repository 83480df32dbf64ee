#pragma once

#include "ui/widgets/heads/head_grid_layout.h"

#include <QImage>
#include <QPainter>

#include <vector>

namespace headscope::ui {

/// Labelled layers or heads: the selected one (-1: none), the last, and every `step`-th at a
/// distance of `apart` or more from these two.
std::vector<int> numbersShown(int count, int step, int apart, int selected);

/// Paints the grid with one image per thumbnail, null if missing; empty if thumbnails are already
/// painted.
void paintHeadGrid(QPainter& painter, const HeadGridLayout& layout,
                   const std::vector<QImage>& images, const HeadGridContent& content,
                   const Theme& theme);

} // namespace headscope::ui
