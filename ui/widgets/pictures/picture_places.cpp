#include "ui/widgets/pictures/picture_places.h"

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

PlacesWidget::PlacesWidget(const QString& accessibleName, QWidget* parent)
    : DrawnWidget(Items::Plane, accessibleName, parent)
{
    leaveKeysWith(Qt::ControlModifier);
}

const std::vector<PicturePlace>& PlacesWidget::places() const
{
    if (!m_places || m_placedIn != size()) {
        m_places = makePlaces(area(), Theme::of(*this));
        m_placedIn = size();
    }
    return *m_places;
}

void PlacesWidget::contentChanged(const QString& description, std::optional<int> current)
{
    m_places.reset();
    m_description = description;
    itemsChanged(current && *current < itemCount() ? current : std::nullopt);
    updateGeometry();
}

QRectF PlacesWidget::itemRect(int place) const
{
    return places()[static_cast<std::size_t>(place)].rect;
}

QString PlacesWidget::itemWords(int place) const
{
    return places()[static_cast<std::size_t>(place)].words;
}

void PlacesWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        m_places.reset();
        update();
    }
    DrawnWidget::changeEvent(event);
}

void PlacesWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintAll(painter, area(), theme);
    if (!hasFocus())
        return;
    const bool isAtPlace = currentItem() && *currentItem() < itemCount();
    paintPlaceRing(painter, isAtPlace ? itemRect(*currentItem()) : area(), theme);
}

void PlacesWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && currentItem())
        setCurrentItem(std::nullopt);
    else
        DrawnWidget::keyPressEvent(event);
}

} // namespace headscope::ui
