#include "ui/widgets/diagrams/diagram_widget.h"

#include <QKeyEvent>
#include <QPainter>

#include <cstddef>

namespace headscope::ui {

void paintPlaceRing(QPainter& painter, const QRectF& place, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.surface, 5.0));
    painter.drawRoundedRect(place.adjusted(-3, -3, 3, 3), 6, 6);
    painter.setPen(QPen(theme.accent, 2.0));
    painter.drawRoundedRect(place.adjusted(-3, -3, 3, 3), 6, 6);
    painter.restore();
}

DiagramWidget::DiagramWidget(const QString& accessibleName, QWidget* parent)
    : DrawnWidget(Items::Plane, accessibleName, parent)
{
    leaveKeysWith(Qt::ControlModifier);
}

const std::vector<DiagramItem>& DiagramWidget::places() const
{
    if (!m_places || m_placedIn != size()) {
        m_places = makePlaces(area(), Theme::of(*this));
        m_placedIn = size();
    }
    return *m_places;
}

void DiagramWidget::contentChanged(const QString& description, std::optional<int> current)
{
    m_places.reset();
    m_description = description;
    itemsChanged(current && *current < itemCount() ? current : std::nullopt);
    updateGeometry();
}

QRectF DiagramWidget::itemRect(int place) const
{
    return places()[static_cast<std::size_t>(place)].rect;
}

QString DiagramWidget::itemText(int place) const
{
    return places()[static_cast<std::size_t>(place)].words;
}

void DiagramWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        m_places.reset();
        update();
    }
    DrawnWidget::changeEvent(event);
}

void DiagramWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintAll(painter, area(), theme);
    if (!hasFocus())
        return;
    const bool isAtPlace = currentItem() && *currentItem() < itemCount();
    paintPlaceRing(painter, isAtPlace ? itemRect(*currentItem()) : area(), theme);
}

void DiagramWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && currentItem())
        setCurrentItem(std::nullopt);
    else
        DrawnWidget::keyPressEvent(event);
}

} // namespace headscope::ui
