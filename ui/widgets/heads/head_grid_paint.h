#pragma once

#include "ui/widgets/heads/head_grid_layout.h"

#include <QImage>
#include <QPainter>

#include <vector>

namespace headscope::ui {

/// The layers or heads that carry their number: the selected one (-1: none), the last, and every
/// `step`-th that stands `apart` or more from these two.
std::vector<int> numbersShown(int count, int step, int apart, int selected);

/// `images` as many as thumbnails, null where there is none yet; empty where the thumbnails are
/// drawn already.
void paintHeadGrid(QPainter& painter, const HeadGridLayout& layout,
                   const std::vector<QImage>& images, const HeadGridContent& content,
                   const Theme& theme);

} // namespace headscope::ui
