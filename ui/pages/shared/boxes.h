#pragma once

#include <QBoxLayout>

#include <initializer_list>

namespace headscope::ui {

/// Item of a box: a widget, a nested box, a gap or a stretch.
class Placed
{
public:
    Placed(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {});
    Placed(QLayout* layout, int stretch = 0);

    static Placed gap(int pixels);
    static Placed space(int stretch = 1); ///< Takes the remaining space.

    void addTo(QBoxLayout& box) const;

private:
    Placed() = default;

    QWidget* m_widget = nullptr;
    QLayout* m_layout = nullptr;
    int m_gap = -1;
    int m_stretch = 0;
    Qt::Alignment m_alignment;
};

using PlacedList = std::initializer_list<Placed>;

constexpr int kStyleSpacing = -1; ///< Spacing of the style.

/// Boxes in visual order. The box of a `parent` has no margins.
QHBoxLayout* rowOf(int spacing, PlacedList items, QWidget* parent = nullptr);
QVBoxLayout* columnOf(int spacing, PlacedList items, QWidget* parent = nullptr);

} // namespace headscope::ui
