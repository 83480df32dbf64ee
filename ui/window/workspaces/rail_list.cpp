#include "ui/window/workspaces/rail_list.h"

#include "ui/widgets/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kRow = 36.0;
constexpr double kLeft = 16.0;
constexpr double kRight = 12.0;
constexpr double kTextHeight = 20.0;
constexpr QSizeF kCurve{100.0, 16.0};

void paintCurve(QPainter& painter, QPointF corner, const std::vector<double>& values,
                const Theme& theme)
{
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double range = std::max(*high - *low, 1e-12);
    const double step =
        kCurve.width() / std::max<double>(static_cast<double>(values.size()) - 1, 1);
    QPolygonF line;
    for (const double value : values)
        line << corner + QPointF(step * static_cast<double>(line.size()),
                                 (*high - value) / range * kCurve.height());
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawPolyline(line);
}

void paintBar(QPainter& painter, const QRectF& bar, double fraction, const Theme& theme)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.track);
    painter.drawRoundedRect(bar, 2, 2);
    painter.setBrush(theme.accent);
    if (fraction > 0.0)
        painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * fraction, bar.height())),
                                2, 2);
}

void paintRow(QPainter& painter, const QRectF& place, const RailRow& row, const Theme& theme)
{
    const QRectF text(place.x() + kLeft, place.y() + 1, place.width() - kLeft - kRight,
                      kTextHeight);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, row.detail);
    const QFontMetricsF metrics(painter.font());
    const double room = text.width() - metrics.horizontalAdvance(row.detail) - 6.0;
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.title, Qt::ElideRight, std::max(room, 0.0)));
    if (row.curve.size() > 1)
        paintCurve(painter, {text.x(), text.bottom() + 1.0}, row.curve, theme);
    if (row.fraction >= 0.0)
        paintBar(painter,
                 {text.x(), place.bottom() - (row.curve.empty() ? 12.0 : 2.0), text.width(),
                  row.curve.empty() ? 4.0 : 2.0},
                 row.fraction, theme);
}

} // namespace

RailList::RailList(const QString& accessibleName, QWidget* parent)
    : DrawnWidget(Items::Column, accessibleName, parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Maximum);
}

void RailList::setRows(std::vector<RailRow> rows)
{
    m_rows = std::move(rows);
    updateGeometry();
    itemsChanged();
    update();
}

QSize RailList::sizeHint() const
{
    return {10, static_cast<int>(kRow * static_cast<double>(m_rows.size()))};
}

int RailList::itemCount() const
{
    return std::min(static_cast<int>(m_rows.size()), static_cast<int>(height() / kRow));
}

QRectF RailList::itemRect(int item) const
{
    return {0.0, kRow * item, static_cast<double>(width()), kRow};
}

void RailList::clickItem(int item)
{
    goToItem(item);
    emit opened(item);
}

bool RailList::openItem(int item)
{
    emit opened(item);
    return true;
}

void RailList::resizeEvent(QResizeEvent* event)
{
    DrawnWidget::resizeEvent(event);
    itemsChanged();
}

void RailList::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int item = 0; item < itemCount(); ++item) {
        const QRectF place = itemRect(item);
        const bool isCurrent = hasFocus() && item == currentItem().value_or(0);
        painter.setPen(isCurrent ? QPen(theme.accent, 2.0) : QPen(Qt::NoPen));
        painter.setBrush(hoveredItem() == item ? QBrush(theme.hover) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(place.adjusted(8, 1, -8, -1), 6, 6);
        paintRow(painter, place, m_rows[static_cast<std::size_t>(item)], theme);
    }
}

} // namespace headscope::ui
