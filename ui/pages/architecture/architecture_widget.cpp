#include "ui/pages/architecture/architecture_widget.h"

#include "ui/pages/architecture/architecture_paint.h"
#include "ui/widgets/style/focus_frame.h"

#include <QPainter>

#include <cmath>

namespace headscope::ui {

ArchitectureWidget::ArchitectureWidget(QWidget* parent)
    : DrawnWidget(Items::Plane, tr("Data flow of the model"), parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
}

void ArchitectureWidget::setContent(ArchitectureContent content)
{
    const bool known =
        m_content.current && *m_content.current < static_cast<int>(content.parts.boxes.size());
    content.current = known ? m_content.current : std::nullopt;
    m_content = std::move(content);
    fitHeight();
    itemsChanged(m_content.current);
}

ArchitectureLayout ArchitectureWidget::layoutNow() const
{
    return ArchitectureLayout(width(), m_content, Theme::of(*this));
}

/// The scroll area sets the width; the height follows from it.
void ArchitectureWidget::fitHeight()
{
    setMinimumHeight(static_cast<int>(std::ceil(layoutNow().height())));
}

const ArchitectureBox& ArchitectureWidget::box(int item) const
{
    return m_content.parts.boxes[static_cast<std::size_t>(item)];
}

void ArchitectureWidget::setCurrent(std::optional<int> box)
{
    m_content.current = box;
    setCurrentItem(box);
}

QString ArchitectureWidget::itemText(int item) const
{
    return describeBox(box(item));
}

std::optional<int> ArchitectureWidget::itemAt(QPointF position) const
{
    return layoutNow().boxAt(position);
}

std::optional<int> ArchitectureWidget::itemAfter(int key) const
{
    return currentItem() && !directionOf(key).isNull() ? layoutNow().neighbour(*currentItem(), key)
                                                       : DrawnWidget::itemAfter(key);
}

void ArchitectureWidget::goToItem(int item)
{
    setCurrent(item);
    emit boxMoved(item);
}

void ArchitectureWidget::clickItem(int item)
{
    setCurrent(item);
    emit boxOpened(item);
}

bool ArchitectureWidget::openItem(int item)
{
    emit boxOpened(item);
    return true;
}

void ArchitectureWidget::hoverChanged()
{
    const auto item = hoveredItem();
    const bool leads = item && (!box(*item).page.isEmpty() || box(*item).layer >= 0);
    setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool ArchitectureWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange)
        fitHeight();
    return DrawnWidget::event(event);
}

void ArchitectureWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintArchitecture(painter, {}, layoutNow(), m_content, theme);
    paintFocusFrame(painter, *this);
}

void ArchitectureWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

} // namespace headscope::ui
