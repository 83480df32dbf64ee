#pragma once

#include <QRect>

#include <vector>

namespace headscope::ui {

/// Where a callout stands in a window, and where its arrow leaves it.
struct TourPlace
{
    QPoint corner;        ///< Top left corner of the callout.
    Qt::Edge arrow;       ///< Edge of the callout on which the arrow is.
    int tip = 0;          ///< Position of the arrow along that edge.
    bool isBeside = true; ///< False where every place covers some of the target.
};

/// Place for a callout of `size` inside `window`, beside `target`: it covers nothing of the target
/// and as little as possible of `mentioned`.
TourPlace tourPlace(QSize size, const QRect& window, const QRect& target,
                    const std::vector<QRect>& mentioned);

} // namespace headscope::ui
