#include "ui/pages/shared/boxes.h"

#include <QWidget>

namespace headscope::ui {

namespace {

template<typename Box>
Box* boxOf(int spacing, PlacedList items, QWidget* parent)
{
    auto* box = new Box(parent);
    if (parent)
        box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(spacing);
    for (const Placed& item : items)
        item.addTo(*box);
    return box;
}

} // namespace

Placed::Placed(QWidget* widget, int stretch, Qt::Alignment alignment)
    : m_widget(widget)
    , m_stretch(stretch)
    , m_alignment(alignment)
{
}

Placed::Placed(QLayout* layout, int stretch) : m_layout(layout), m_stretch(stretch) {}

Placed Placed::gap(int pixels)
{
    Placed gap;
    gap.m_gap = pixels;
    return gap;
}

Placed Placed::space(int stretch)
{
    Placed space;
    space.m_stretch = stretch;
    return space;
}

void Placed::addTo(QBoxLayout& box) const
{
    if (m_widget)
        box.addWidget(m_widget, m_stretch, m_alignment);
    else if (m_layout)
        box.addLayout(m_layout, m_stretch);
    else if (m_gap >= 0)
        box.addSpacing(m_gap);
    else
        box.addStretch(m_stretch);
}

QHBoxLayout* rowOf(int spacing, PlacedList items, QWidget* parent)
{
    return boxOf<QHBoxLayout>(spacing, items, parent);
}

QVBoxLayout* columnOf(int spacing, PlacedList items, QWidget* parent)
{
    return boxOf<QVBoxLayout>(spacing, items, parent);
}

} // namespace headscope::ui
