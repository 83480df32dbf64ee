#include "ui/widgets/pictures/picture_places.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QPointF directionOf(int key)
{
    switch (key) {
    case Qt::Key_Left:
        return {-1, 0};
    case Qt::Key_Right:
        return {1, 0};
    case Qt::Key_Up:
        return {0, -1};
    case Qt::Key_Down:
        return {0, 1};
    default:
        return {};
    }
}

} // namespace

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

std::optional<std::size_t> placeAfter(const std::vector<PicturePlace>& places,
                                      std::optional<std::size_t> from, int key)
{
    if (places.empty())
        return std::nullopt;
    if (key == Qt::Key_Home || !from || *from >= places.size())
        return 0;
    if (key == Qt::Key_End)
        return places.size() - 1;
    constexpr double kAside = 1.5;  // what lies straight ahead is nearer than what lies aside
    constexpr double kWidest = 2.5; // of the direction: what lies further aside is not meant
    const QPointF way = directionOf(key);
    const QPointF start = places[*from].rect.center();
    std::optional<std::size_t> best;
    double least = 1e300;
    for (std::size_t index = 0; index < places.size(); ++index) {
        const QPointF to = places[index].rect.center() - start;
        const double ahead = QPointF::dotProduct(to, way);
        const double aside = std::abs(to.x() * way.y() - to.y() * way.x());
        if (ahead < 1.0 || aside > kWidest * ahead)
            continue;
        const double far = ahead + kAside * aside;
        if (far < least) {
            least = far;
            best = index;
        }
    }
    return best ? best : from;
}

PlacesWidget::PlacesWidget(const QString& accessibleName, QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(accessibleName);
    makeReadableList(*this, [this] { return readable(); });
}

const std::vector<PicturePlace>& PlacesWidget::places() const
{
    if (!m_places)
        m_places = makePlaces(area(), Theme::of(*this));
    return *m_places;
}

void PlacesWidget::contentChanged(const QString& description)
{
    m_places.reset();
    if (m_current && *m_current >= places().size())
        m_current.reset();
    setAccessibleDescription(description);
    updateGeometry();
    update();
}

void PlacesWidget::setCurrent(std::optional<std::size_t> place)
{
    if (place == m_current)
        return;
    m_current = place;
    update();
    if (hasFocus())
        announceCurrent(*this);
    emit currentChanged();
}

std::optional<std::size_t> PlacesWidget::placeAt(QPointF position) const
{
    const auto& all = places();
    for (std::size_t index = 0; index < all.size(); ++index)
        if (all[index].rect.contains(position))
            return index;
    return std::nullopt;
}

ReadableTable PlacesWidget::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(places().size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) {
        return places()[static_cast<std::size_t>(cell.row)].words;
    };
    table.place = [this](HeatmapCell cell) {
        return places()[static_cast<std::size_t>(cell.row)].rect;
    };
    if (m_current)
        table.current = {static_cast<int>(*m_current), 0};
    return table;
}

bool PlacesWidget::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto place = placeAt(help->pos()))
        QToolTip::showText(help->globalPos(), places()[*place].words, this);
    else
        QToolTip::hideText();
    return true;
}

void PlacesWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        m_places.reset();
        update();
    }
    QWidget::changeEvent(event);
}

void PlacesWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    paintAll(painter, area(), theme);
    if (!hasFocus())
        return;
    if (m_current && *m_current < places().size())
        paintPlaceRing(painter, places()[*m_current].rect, theme);
    else
        paintPlaceRing(painter, QRectF(rect()).adjusted(4, 4, -4, -4), theme);
}

void PlacesWidget::resizeEvent(QResizeEvent* event)
{
    m_places.reset();
    QWidget::resizeEvent(event);
}

void PlacesWidget::mousePressEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (event->button() != Qt::LeftButton || !place)
        return QWidget::mousePressEvent(event);
    setCurrent(place);
}

void PlacesWidget::keyPressEvent(QKeyEvent* event)
{
    const bool moves = !directionOf(event->key()).isNull() || event->key() == Qt::Key_Home ||
                       event->key() == Qt::Key_End;
    if (event->key() == Qt::Key_Escape && m_current)
        return setCurrent(std::nullopt);
    if (!moves || places().empty() || event->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::keyPressEvent(event);
    setCurrent(placeAfter(places(), m_current, event->key()));
}

void PlacesWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlacesWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace headscope::ui
