#include "ui/widgets/arcs/arcs_paint.h"

#include "ui/widgets/arcs/arcs_bars.h"
#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/arcs/arcs_raster.h"
#include "ui/widgets/arcs/arcs_strokes.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kNumbered = 0.15; ///< Minimum weight that gets a number as well as a bar.
constexpr double kDimmedPaths = 0.55;

/// Half-open range of a column's rows in the visible part.
std::pair<int, int> visibleRows(const ArcsLayout& layout, const ArcsContent& content, ArcSide side)
{
    const auto count =
        static_cast<int>((side == ArcSide::Query ? content.queries : content.keys).size());
    const double top = layout.row({side, 0}).top();
    const double first = std::floor((layout.rows().top() - top) / layout.pitch());
    const double last = std::ceil((layout.rows().bottom() - top) / layout.pitch());
    return {std::clamp(static_cast<int>(first), 0, count),
            std::clamp(static_cast<int>(last), 0, count)};
}

QColor faded(QColor colour, double opacity)
{
    colour.setAlphaF(static_cast<float>(opacity));
    return colour;
}

void paintPaths(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                const Theme& theme)
{
    const auto focus = content.focus();
    painter.setBrush(Qt::NoBrush);
    for (const MergedArc& arc : mergedArcs(content, theme)) {
        painter.setPen(
            QPen(faded(arc.colour(), arc.opacity() * (focus ? kDimmedPaths : 1.0)), 1.0));
        painter.drawPath(arcPath({layout.left(), layout.y({ArcSide::Query, arc.query})},
                                 {layout.right(), layout.y({ArcSide::Key, arc.key})}));
    }
    if (!focus)
        return;
    for (const FocusArc& arc : focusArcs(content, *focus, layout.pitch(), theme)) {
        const double from = layout.y({ArcSide::Query, arc.query}) + arc.offset;
        const double to = layout.y({ArcSide::Key, arc.key}) + arc.offset;
        const QPainterPath path = arcPath({layout.left(), from}, {layout.right(), to});
        if (arc.rim)
            painter.strokePath(path,
                               QPen(theme.surface, arc.width + 3.0, Qt::SolidLine, Qt::FlatCap));
        QPen pen(faded(arc.colour, arc.opacity), arc.width, Qt::SolidLine, Qt::FlatCap);
        if (arc.dashed)
            pen.setDashPattern({6.0 / arc.width, 4.0 / arc.width});
        painter.strokePath(path, pen);
    }
}

/// Paints a filled chip behind the label of the focused token, as in the token strip.
void paintChip(QPainter& painter, const QRectF& chip, ArcSide side, const Theme& theme)
{
    const bool isQuery = side == ArcSide::Query;
    painter.setPen(isQuery ? QPen(Qt::NoPen) : QPen(theme.key, 2.0));
    painter.setBrush(isQuery ? theme.accent : theme.keySoft);
    painter.drawRoundedRect(isQuery ? chip : chip.adjusted(1, 1, -1, -1), 4, 4);
}

void paintLabel(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content, ArcEnd end,
                const Theme& theme, bool inFocus)
{
    const bool isPair = content.pairedWith == end;
    const bool isQuery = end.side == ArcSide::Query;
    painter.setFont(inFocus || isPair ? theme.bold(layout.tokenRole())
                                      : theme.font(layout.tokenRole()));
    const QFontMetricsF metrics(painter.font());
    const QRectF rect = layout.labelRect(end);
    const QString text = metrics.elidedText(content.label(end), Qt::ElideRight, rect.width());
    if (inFocus)
        paintChip(painter, arcChip(layout, content, end, theme), end.side, theme);
    const QColor role = isQuery ? theme.accent : theme.key;
    painter.setPen(inFocus && isQuery  ? theme.onAccent
                   : inFocus || isPair ? role
                   : content.stale     ? theme.text3
                                       : theme.text2);
    painter.drawText(rect, Qt::AlignVCenter | (isQuery ? Qt::AlignRight : Qt::AlignLeft), text);
}

/// Paints all labels but that of the token in `focus`.
void paintLabels(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                 const Theme& theme, std::optional<ArcEnd> focus)
{
    for (const ArcSide side : {ArcSide::Query, ArcSide::Key}) {
        const auto [first, last] = visibleRows(layout, content, side);
        for (int index = first; index < last; ++index) {
            const ArcEnd end{side, index};
            if (end != focus)
                paintLabel(painter, layout, content, end, theme, false);
        }
    }
}

void paintBar(QPainter& painter, const QRectF& bar, bool dashed, const QColor& colour)
{
    if (!dashed) {
        painter.fillRect(bar, colour);
        return;
    }
    for (double x = bar.left(); x < bar.right(); x += 10.0)
        painter.fillRect(QRectF(x, bar.top(), std::min(6.0, bar.right() - x), bar.height()),
                         colour);
}

/// Paints the number of the largest bar beside it.
void paintNumber(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                 const ArcBars& bars, ArcEnd other, int head, const Theme& theme)
{
    const float weight = barWeight(content, bars.focus(), other, head);
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.text);
    const QRectF bar = bars.bar(other, head);
    const double height = QFontMetricsF(painter.font()).height();
    const double width = bars.numberWidth();
    const bool before = weight < 0.0F;
    const double away = std::max(0.0, (layout.pitch() - height) / 2.0); // within the row
    const double middle =
        std::clamp(bar.center().y(), layout.y(other) - away, layout.y(other) + away);
    const QRectF place(before ? bar.left() - 6.0 - width : bar.right() + 6.0, middle - height / 2.0,
                       width, height);
    painter.drawText(place, Qt::AlignVCenter | (before ? Qt::AlignRight : Qt::AlignLeft),
                     content.isSigned ? signedNumber(double{weight}, 2)
                                      : number(double{weight}, 2));
}

/// Paints the bars of all heads beside one token and returns the head of the largest, -1 without
/// any.
int paintBarsOf(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                const ArcBars& bars, ArcEnd other, const Theme& theme)
{
    int largest = -1;
    float size = 0.0F;
    for (int head = 0; head < static_cast<int>(content.heads.size()); ++head) {
        const float weight = barWeight(content, bars.focus(), other, head);
        if (weight == 0.0F)
            continue;
        const ArcHead& shown = content.heads[static_cast<std::size_t>(head)];
        const QRectF bar = bars.bar(other, head);
        paintBar(painter, bar, shown.slot >= 8, linkColour(content, {head, 0, 0, weight}, theme));
        if (content.isSigned) // colour shows the sign, so the head needs a mark
            painter.fillRect(
                QRectF(layout.bars(bars.focus().side).left(), bar.top(), 4.0, bar.height()),
                headHue(shown.slot, theme));
        if (std::abs(weight) > size) {
            largest = head;
            size = std::abs(weight);
        }
    }
    return size < kNumbered ? -1 : largest;
}

void paintAllBars(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                  const Theme& theme)
{
    const ArcBars bars(layout, content, *content.focus(), theme);
    const ArcSide side = otherSide(bars.focus().side);
    const auto [first, last] = visibleRows(layout, content, side);
    if (first >= last)
        return;
    for (int index = first; index < last; ++index) {
        const ArcEnd other{side, index};
        if (const int head = paintBarsOf(painter, layout, content, bars, other, theme); head >= 0)
            paintNumber(painter, layout, content, bars, other, head, theme);
    }
    const double zero = std::round(bars.zero());
    const double top = std::max(layout.row({side, first}).top(), layout.rows().top());
    const double bottom = std::min(layout.row({side, last - 1}).bottom(), layout.rows().bottom());
    painter.setRenderHint(QPainter::Antialiasing, false); // whole pixels are filled faster
    painter.fillRect(QRectF(zero - 1.0, top, 1.0, bottom - top), theme.line2);
}

/// Paints a title such as "weight from it, scale 0 to 1".
void paintBarsTitle(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                    const Theme& theme)
{
    const ArcEnd focus = *content.focus();
    const bool outgoing = focus.side == ArcSide::Query;
    QRectF place = layout.header();
    place.setLeft(layout.bars(focus.side).left());
    if (!outgoing)
        place.setRight(layout.labelRect({ArcSide::Query, 0}).right() - 48.0 * theme.scale());
    const QFont plain = theme.font(TextRole::Body);
    const QFont strong = theme.bold(TextRole::Body);
    const QString before = content.isDifference()
                               ? (outgoing ? tr("change from ") : tr("change to "))
                               : (outgoing ? tr("weight from ") : tr("weight to "));
    const QString after = content.isSigned ? tr(", −1 to +1") : tr(", scale 0 to 1");
    const double fixed = QFontMetricsF(plain).horizontalAdvance(before + after);
    const double wanted = fixed + QFontMetricsF(strong).horizontalAdvance(content.label(focus));
    if (outgoing) { // narrow bars: the title starts to their left, after the word "key"
        const double key = layout.labelRect({ArcSide::Key, 0}).left() +
                           QFontMetricsF(strong).horizontalAdvance(tr("key")) + 24.0;
        place.setLeft(std::max(key, std::min(place.left(), place.right() - wanted)));
    }
    const QString token = QFontMetricsF(strong).elidedText(
        content.label(focus), Qt::ElideRight, std::max(place.width() - fixed, 24.0) + 1.0);
    const std::pair<QString, QColor> parts[] = {
        {before, theme.text2}, {token, outgoing ? theme.accent : theme.key}, {after, theme.text2}};
    for (const auto& [text, colour] : parts) {
        painter.setFont(colour == theme.text2 ? plain : strong);
        painter.setPen(colour);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
        place.setLeft(place.left() + QFontMetricsF(painter.font()).horizontalAdvance(text));
    }
}

void paintHeader(QPainter& painter, const ArcsLayout& layout, const Theme& theme)
{
    const QRectF header = layout.header();
    painter.setFont(theme.bold(TextRole::Body));
    QRectF label = layout.labelRect({ArcSide::Query, 0});
    painter.setPen(theme.accent);
    painter.drawText(QRectF(label.x(), header.y(), label.width(), header.height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("query"));
    label = layout.labelRect({ArcSide::Key, 0});
    painter.setPen(theme.key);
    painter.drawText(QRectF(label.x(), header.y(), label.width(), header.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("key"));
}

/// Paints curves, headings, and all labels but that of `focus`.
void paintBehind(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                 const Theme& theme, const QImage& curves, std::optional<ArcEnd> focus)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(layout.rows());
    if (curves.isNull())
        paintPaths(painter, layout, content, theme);
    else
        painter.drawImage(QPointF(layout.left(), layout.rows().top()), curves);
    paintLabels(painter, layout, content, theme, focus);
    painter.restore();
    paintHeader(painter, layout, theme);
}

/// Paints the focused token's chip, bars and title.
void paintFocus(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(layout.rows());
    paintLabel(painter, layout, content, *content.focus(), theme, true);
    paintAllBars(painter, layout, content, theme);
    painter.restore();
    paintBarsTitle(painter, layout, content, theme);
}

} // namespace

QRectF arcChip(const ArcsLayout& layout, const ArcsContent& content, ArcEnd end, const Theme& theme)
{
    const QFontMetricsF metrics(theme.bold(layout.tokenRole()));
    const QRectF label = layout.labelRect(end);
    const double text = std::min(metrics.horizontalAdvance(content.label(end)), label.width());
    const double height = std::min(label.height(), metrics.height() + 8.0 * theme.scale());
    const double x = end.side == ArcSide::Query ? label.right() - text - 8.0 : label.left() - 8.0;
    return {x, label.center().y() - height / 2.0, text + 16.0, height};
}

void paintArcs(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
               const Theme& theme, const ArcsImages& images)
{
    const auto focus = content.focus();
    QImage curves = images.rest;
    if (focus && !curves.isNull()) {
        curves = dimmed(images.rest, theme.surface);
        strokeFocus(curves, focusArcs(content, *focus, layout.pitch(), theme), layout, theme,
                    curves.devicePixelRatio());
    }
    paintBehind(painter, layout, content, theme, curves, focus);
    if (focus)
        paintFocus(painter, layout, content, theme);
}

ArcsImages arcsImages(const ArcsContent& content, const ArcsLayout& layout, const Theme& theme,
                      double pixelRatio)
{
    return {restImage(content, layout, theme, pixelRatio), {}, {}, {}};
}

void prepareFocus(ArcsImages& images, const ArcsContent& content, const ArcsLayout& layout,
                  const Theme& theme, QSize size)
{
    const double ratio = images.rest.devicePixelRatio();
    images.dimmed = dimmed(images.rest, theme.surface);
    images.behind = QImage(size * ratio, QImage::Format_RGB32);
    images.behind.setDevicePixelRatio(ratio);
    images.behind.fill(theme.surface);
    QPainter painter(&images.behind);
    paintBehind(painter, layout, content, theme, images.dimmed, {});
}

void paintFocused(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                  const Theme& theme, ArcsImages& images)
{
    painter.drawImage(QPointF(0.0, 0.0), images.behind);
    if (images.focus.size() != images.dimmed.size())
        images.focus = images.dimmed.copy();
    else
        std::copy_n(images.dimmed.constBits(), images.dimmed.sizeInBytes(), images.focus.bits());
    strokeFocus(images.focus, focusArcs(content, *content.focus(), layout.pitch(), theme), layout,
                theme, images.focus.devicePixelRatio());
    painter.drawImage(QPointF(layout.left(), layout.rows().top()), images.focus);
    paintFocus(painter, layout, content, theme);
}

} // namespace headscope::ui
