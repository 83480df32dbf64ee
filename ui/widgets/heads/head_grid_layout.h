#pragma once

#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/style/theme.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Layout of the thumbnails: square, 2 px apart, 8 px between groups that share keys and values;
/// wider in a layer where each ends in the strip of an attention sink.
class HeadGridLayout
{
public:
    HeadGridLayout() = default;
    HeadGridLayout(QRectF area, const HeadGridContent& content, const Theme& theme,
                   double pixelRatio = 1.0);

    QRectF headRect(GridCell index) const;
    std::optional<GridCell> headAt(QPointF position) const;

    int placeOf(GridCell index) const; ///< Place of a head from the left, 0 first.
    GridCell atPlace(int layer, int place) const;

    double side() const { return m_side; }

    double pitch() const { return m_side + m_gap; } ///< From a head to the next of its group.

    bool isSameAs(const HeadGridLayout& other) const
    {
        return m_origin == other.m_origin && m_side == other.m_side && m_layers == other.m_layers &&
               m_heads == other.m_heads && m_groupSize == other.m_groupSize &&
               m_gap == other.m_gap && m_order == other.m_order;
    }

    int groupSize() const { return m_groupSize; } ///< Number of heads per bracket, 0: no brackets.

    QSizeF size() const; ///< Total size including labels.
    /// Left edge of a place; unless sorted, places are head numbers.
    double columnX(int place) const;
    double rowY(int layer) const;

private:
    void takeOrder(const std::vector<int>& order);
    void takeSizes(QSizeF room, const HeadGridContent& content, const Theme& theme,
                   double pixelRatio);

    QPointF m_origin;
    double m_side = 0.0;
    double m_gap = 0.0;      ///< Between the heads of a layer.
    double m_groupGap = 0.0; ///< Between groups that share keys and values.
    int m_layers = 0;
    int m_heads = 0;
    int m_groupSize = 0;
    std::vector<int> m_order; ///< Head at each place, layer-major.
    std::vector<int> m_place; ///< Place of each head, layer-major.
};

/// Size of the grid with thumbnails of `side`.
QSizeF headGridSize(const HeadGridContent& content, const Theme& theme, double side);
QSizeF headGridMinimum(const HeadGridContent& content, const Theme& theme);

} // namespace headscope::ui
