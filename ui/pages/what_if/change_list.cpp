#include "ui/pages/what_if/change_list.h"

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/diagrams/diagram_widget.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kRow = 42.0;
constexpr double kTallestRow = 96.0; ///< In large windows.
constexpr double kMargin = 4.0;      ///< Above and below a thumbnail.
constexpr double kLine = 18.0;
constexpr double kGap = 12.0;
constexpr double kInset = 4.0; ///< Room of the focus ring.

QString nextText(const NextTokenChange& next, const LoadedModel& model)
{
    return QStringLiteral("\u201C%1\u201D %2")
        .arg(labelOf(next.id, model), signedNumber(next.probabilityB - next.probabilityA, 3));
}

} // namespace

ChangeList::ChangeList(QWidget* parent) : DrawnWidget(Items::Column, tr("Possible changes"), parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ChangeList::setChanges(std::vector<PossibleChange> changes)
{
    if (changes == m_changes)
        return;
    m_changes = std::move(changes);
    m_previews.resize(m_changes.size());
    const int last = itemCount() - 1;
    itemsChanged(last < 0 ? std::nullopt
                          : std::optional(std::min(currentItem().value_or(0), last)));
    updateGeometry();
}

void ChangeList::setPreviews(const Previews& previews, const ViewSnapshot& view)
{
    m_previews = previews;
    m_model = view.modelA;
    m_head = view.selection.headId();
    m_colourMap = view.colourMap;
    itemsChanged();
    update();
}

const ChangePreview* ChangeList::previewAt(int row) const
{
    const auto index = static_cast<std::size_t>(row);
    return index < m_previews.size() && m_previews[index] ? &*m_previews[index] : nullptr;
}

QString ChangeList::effectText(int row) const
{
    const ChangePreview* preview = previewAt(row);
    if (!preview)
        return tr("computing");
    if (!preview->problem.empty())
        return QString::fromStdString(preview->problem);
    QStringList parts;
    if (preview->moved)
        parts << tr("map moved %1").arg(number(*preview->moved, 2));
    if (preview->next)
        parts << nextText(*preview->next, m_model);
    return parts.join(QStringLiteral(" \u00B7 "));
}

QString ChangeList::itemText(int row) const
{
    const PossibleChange& change = m_changes[static_cast<std::size_t>(row)];
    return change.title + QLatin1Char('\n') + change.meaning + QLatin1Char('\n') + effectText(row);
}

/// Rows share the height of the list, between two limits.
double ChangeList::rowHeight() const
{
    const double scale = Theme::of(*this).scale();
    const double room = static_cast<double>(height()) / std::max(itemCount(), 1);
    return std::round(std::clamp(room, kRow * scale, kTallestRow * scale));
}

QRectF ChangeList::rowRect(int row) const
{
    const double height = rowHeight();
    return {0.0, row * height, static_cast<double>(width()), height};
}

QRectF ChangeList::thumbnailRect(int row) const
{
    const QRectF area = rowRect(row);
    const double side = area.height() - 2.0 * kMargin;
    return {kInset, area.top() + kMargin, side, side};
}

QSize ChangeList::sizeHint() const
{
    return {160, qRound(kRow * Theme::of(*this).scale()) * itemCount()};
}

void ChangeList::goToItem(int row)
{
    DrawnWidget::goToItem(row);
    update();
    emit currentMoved(row);
}

void ChangeList::clickItem(int row)
{
    goToItem(row);
    emit chosen(row);
}

bool ChangeList::openItem(int row)
{
    emit chosen(row);
    return true;
}

bool ChangeList::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        updateGeometry();
    return DrawnWidget::event(event);
}

void ChangeList::focusInEvent(QFocusEvent* event)
{
    DrawnWidget::focusInEvent(event);
    if (currentItem())
        emit currentMoved(*currentItem());
}

void ChangeList::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < itemCount(); ++row)
        paintRow(painter, theme, row);
    if (hasFocus() && currentItem())
        paintPlaceRing(painter, rowRect(*currentItem()).adjusted(4, 4, -4, -4), theme);
}

void ChangeList::paintRow(QPainter& painter, const Theme& theme, int row) const
{
    const QRectF area = rowRect(row);
    if (hoveredItem() == row) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hover);
        painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), 6, 6);
    }
    paintThumbnail(painter, theme, row);
    const double left = thumbnailRect(row).right() + kGap;
    const double pitch = kLine * theme.scale();
    const bool explains = area.height() >= 3.0 * pitch + 2.0 * kMargin;
    const double top = area.center().y() - (explains ? 1.5 : 1.0) * pitch;
    QRectF line(left, top, area.right() - kInset - left, pitch);
    const auto write = [&](const QFont& font, const QColor& colour, const QString& text) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, line.width()));
        line.translate(0.0, pitch);
    };
    const PossibleChange& change = m_changes[static_cast<std::size_t>(row)];
    write(theme.bold(TextRole::Body), theme.text, change.title);
    if (explains)
        write(theme.font(TextRole::Body), theme.text2, change.meaning);
    write(theme.font(TextRole::Caption), theme.text2, effectText(row));
}

/// An ablated head keeps its pattern, so it is crossed out as in the grid of heads.
void ChangeList::paintThumbnail(QPainter& painter, const Theme& theme, int row) const
{
    const QRectF place = thumbnailRect(row);
    const ChangePreview* preview = previewAt(row);
    if (!preview || !preview->thumbnail) {
        painter.fillRect(place, theme.masked);
        return;
    }
    const ColourLookup lookup(ColourScale{m_colourMap}, theme);
    const int pixels = static_cast<int>(std::lround(place.width() * devicePixelRatioF()));
    painter.drawImage(place, thumbnailImage(*preview->thumbnail, lookup, pixels));
    if (m_changes[static_cast<std::size_t>(row)].changes.isOff(m_head)) {
        painter.setPen(QPen(theme.text3, 1.0));
        painter.drawLine(place.bottomLeft(), place.topRight());
    }
}

} // namespace headscope::ui
