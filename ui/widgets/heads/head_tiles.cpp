#include "ui/widgets/heads/head_tiles.h"

#include "ui/widgets/style/focus_frame.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kRowLabel = 32.0;
constexpr double kLabel = 20.0;
constexpr double kGap = 8.0;
constexpr double kSmallGap = 3.0;
constexpr double kSmallSinkGap = 5.0; // so that the strip of a sink is nearer to its own map
constexpr double kLeastLabelled = 56.0;
constexpr double kLargest = 320.0;
/// Minimum width of a note; otherwise only the tooltip has it.
constexpr double kLeastNote = 44.0;

QString nameOf(GridCell index)
{
    return QStringLiteral("%1.%2").arg(index.layer).arg(index.head);
}

std::size_t placeOf(const HeadTilesContent& content, GridCell index)
{
    return static_cast<std::size_t>(index.layer * content.grid.heads + index.head);
}

QString noteOf(const HeadTilesContent& content, GridCell index)
{
    const std::size_t place = placeOf(content, index);
    return place < content.notes.size() ? content.notes[place] : QString();
}

void paintLabel(QPainter& painter, const QRectF& place, const HeadTilesContent& content,
                GridCell index, const Theme& theme)
{
    const bool isSelected = content.grid.selected == index;
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(isSelected ? theme.accent : theme.text);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, nameOf(index));
    double used = QFontMetricsF(painter.font()).horizontalAdvance(nameOf(index)) + 6;
    const auto pinned = content.grid.pinned.find(index);
    if (pinned != content.grid.pinned.end()) {
        const auto slot = static_cast<std::size_t>(pinned->second) % theme.heads.size();
        painter.fillRect(QRectF(place.x() + used, std::round(place.center().y()) - 5, 10, 10),
                         theme.heads[slot]);
        used += 14;
    }
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    const QRectF rest = place.adjusted(used, 0, 0, 0);
    if (rest.width() < kLeastNote * theme.scale())
        return;
    const QFontMetricsF metrics(painter.font());
    QString note = noteOf(content, index);
    if (metrics.horizontalAdvance(note) > rest.width())
        note = note.section(' ', -1); // only the number
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(note, Qt::ElideRight, rest.width()));
}

void paintMap(QPainter& painter, const QRectF& place, const HeadTilesContent& content,
              GridCell index, const ColourLookup& lookup, double pixelRatio)
{
    const ThumbnailPtr thumbnail = content.grid.at(index);
    if (!thumbnail)
        return;
    const int pixels = std::max(1, static_cast<int>(std::floor(place.width() * pixelRatio)));
    painter.drawImage(place, thumbnailImage(*thumbnail, lookup, pixels));
}

void paintSelection(QPainter& painter, const QRectF& place, const HeadTilesContent& content,
                    const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2.0));
    painter.drawRect(place.adjusted(-1, -1, 1, 1));
    if (content.queryRow < 0.0)
        return;
    const double height = std::max(content.rowHeight * place.height(), 3.0);
    painter.setPen(QPen(theme.accent, 1.0));
    painter.drawRect(QRectF(place.x(), place.y() + content.queryRow * place.height() - 0.5,
                            place.width() - 1, height));
}

} // namespace

HeadTilesLayout::HeadTilesLayout(QRectF area, const HeadTilesContent& content, const Theme& theme,
                                 double pixelRatio)
    : m_layers(std::max(content.grid.layers, 0))
    , m_heads(std::max(content.grid.heads, 0))
{
    if (m_layers == 0 || m_heads == 0)
        return;
    const double scale = theme.scale();
    const double width = area.width() - kRowLabel * scale;
    const auto sideWith = [&](double label, double gap) {
        const double across = (width - gap * (m_heads - 1)) / m_heads;
        const double down = (area.height() - (label + gap) * m_layers) / m_layers;
        return std::min({across, down, kLargest * scale});
    };
    m_label = kLabel * scale;
    m_gap = kGap;
    m_side = sideWith(m_label, m_gap);
    if (m_side < kLeastLabelled * scale) {
        m_label = 0.0;
        m_gap = content.grid.hasSinks() ? kSmallSinkGap : kSmallGap;
        m_side = sideWith(0.0, m_gap);
    }
    m_side = std::max(std::floor(m_side * pixelRatio) / pixelRatio, 1.0);
    m_origin = {area.x() + kRowLabel * scale, area.y()};
}

QRectF HeadTilesLayout::mapRect(GridCell index) const
{
    return {m_origin.x() + index.head * (m_side + m_gap),
            m_origin.y() + index.layer * (m_side + m_label + m_gap) + m_label, m_side, m_side};
}

QRectF HeadTilesLayout::labelRect(GridCell index) const
{
    const QRectF map = mapRect(index);
    return {map.x(), map.y() - m_label, map.width(), m_label};
}

std::optional<GridCell> HeadTilesLayout::headAt(QPointF position) const
{
    for (int layer = 0; layer < m_layers; ++layer) {
        for (int head = 0; head < m_heads; ++head) {
            if (mapRect({layer, head}).united(labelRect({layer, head})).contains(position))
                return GridCell{layer, head};
        }
    }
    return std::nullopt;
}

void paintHeadTiles(QPainter& painter, const HeadTilesLayout& layout,
                    const HeadTilesContent& content, const Theme& theme, double pixelRatio)
{
    ColourScale scale = ColourScale::weights();
    scale.map = content.grid.map;
    if (content.grid.map == MapName::Balance)
        scale = ColourScale::difference();
    const ColourLookup lookup(scale, theme);
    for (int layer = 0; layer < content.grid.layers; ++layer) {
        const QRectF first = layout.mapRect({layer, 0});
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(theme.text2);
        painter.drawText(QRectF(first.x() - 40, first.y(), 32, first.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("L%1").arg(layer));
        for (int head = 0; head < content.grid.heads; ++head) {
            const GridCell index{layer, head};
            if (layout.isLabelled())
                paintLabel(painter, layout.labelRect(index), content, index, theme);
            paintMap(painter, layout.mapRect(index), content, index, lookup, pixelRatio);
        }
    }
    if (content.grid.selected && content.grid.contains(*content.grid.selected))
        paintSelection(painter, layout.mapRect(*content.grid.selected), content, theme);
}

// ------------------------------------------------------------------------------------- the widget

HeadTiles::HeadTiles(QWidget* parent)
    : DrawnWidget(Items::Table, tr("Attention patterns of all heads"), parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    leaveKeysWith(Qt::ControlModifier);
}

void HeadTiles::setContent(HeadTilesContent content)
{
    m_content = std::move(content);
    const auto selected = m_content.grid.selected;
    const bool isShown = selected && m_content.grid.contains(*selected);
    itemsChanged(isShown ? std::optional(itemOf(*selected)) : std::nullopt);
}

HeadTilesLayout HeadTiles::layoutNow() const
{
    return {QRectF(rect()).adjusted(4, 4, -4, -4), m_content, Theme::of(*this),
            devicePixelRatioF()};
}

GridCell HeadTiles::headOf(int item) const
{
    return {item / m_content.grid.heads, item % m_content.grid.heads};
}

QString HeadTiles::itemText(int item) const
{
    const QString note = noteOf(m_content, headOf(item));
    const QString name = tr("head %1").arg(nameOf(headOf(item)));
    return note.isEmpty() ? name : tr("%1: %2").arg(name, note);
}

std::optional<int> HeadTiles::itemAt(QPointF position) const
{
    const auto head = layoutNow().headAt(position);
    return head ? std::optional(itemOf(*head)) : std::nullopt;
}

ReadableTable HeadTiles::readable() const
{
    ReadableTable table = DrawnWidget::readable();
    table.rowName = [](int layer) { return tr("layer %1").arg(layer); };
    table.columnName = [](int head) { return tr("head %1").arg(head); };
    return table;
}

bool HeadTiles::openItem(int item)
{
    emit headOpened(headOf(item));
    return true;
}

void HeadTiles::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintHeadTiles(painter, layoutNow(), m_content, theme, devicePixelRatioF());
    paintFocusFrame(painter, *this);
}

} // namespace headscope::ui
