#include "ui/widgets/arcs_paint.h"

#include "ui/widgets/arcs_raster.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kNumbered = 0.15; ///< smaller weights have a bar only
constexpr double kDimmedPaths = 0.55;

QString tr(const char* text)
{
    return QCoreApplication::translate("Arcs", text);
}

ArcSide otherSide(ArcSide side)
{
    return side == ArcSide::Query ? ArcSide::Key : ArcSide::Query;
}

/// Half-open range of rows of one column that lie in the visible part.
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

void paintPaths(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                const Theme& theme)
{
    const auto focus = content.focus();
    painter.setBrush(Qt::NoBrush);
    for (const MergedArc& arc : mergedArcs(content, theme)) {
        QColor colour = arc.colour();
        colour.setAlphaF(static_cast<float>(arc.opacity() * (focus ? kDimmedPaths : 1.0)));
        painter.setPen(QPen(colour, 1.0));
        painter.drawPath(arcPath({layout.left(), layout.y({ArcSide::Query, arc.query})},
                                 {layout.right(), layout.y({ArcSide::Key, arc.key})}));
    }
    if (!focus)
        return;
    for (const FocusArc& arc : focusArcs(content, *focus, layout.pitch(), theme)) {
        const double from = layout.y({ArcSide::Query, arc.link.query}) + arc.offset;
        const double to = layout.y({ArcSide::Key, arc.link.key}) + arc.offset;
        const QPainterPath path = arcPath({layout.left(), from}, {layout.right(), to});
        if (arc.rim)
            painter.strokePath(path,
                               QPen(theme.surface, arc.width + 3.0, Qt::SolidLine, Qt::FlatCap));
        QPen pen(arc.colour, arc.width, Qt::SolidLine, Qt::FlatCap);
        if (arc.dashed)
            pen.setDashPattern({6.0 / arc.width, 4.0 / arc.width});
        painter.strokePath(path, pen);
    }
}

/// A filled chip behind the label of the token in focus, as in the token strip.
void paintChip(QPainter& painter, const QRectF& chip, ArcSide side, const Theme& theme)
{
    const bool isQuery = side == ArcSide::Query;
    painter.setPen(isQuery ? QPen(Qt::NoPen) : QPen(theme.key, 2.0));
    painter.setBrush(isQuery ? theme.accent : theme.keySoft);
    painter.drawRoundedRect(isQuery ? chip : chip.adjusted(1, 1, -1, -1), 4, 4);
}

void paintLabel(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content, ArcEnd end,
                const Theme& theme)
{
    const bool inFocus = content.focus() == end;
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

void paintLabels(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                 const Theme& theme)
{
    for (const ArcSide side : {ArcSide::Query, ArcSide::Key}) {
        const auto [first, last] = visibleRows(layout, content, side);
        for (int index = first; index < last; ++index)
            paintLabel(painter, layout, content, {side, index}, theme);
    }
}

double numberWidth(const ArcsContent& content, const Theme& theme)
{
    const QFontMetricsF metrics(theme.bold(TextRole::Body));
    return metrics.horizontalAdvance(content.isSigned ? QStringLiteral("+0.00")
                                                      : QStringLiteral("0.00")) +
           8.0;
}

/// A weight of 0 and one of 1 in pixels.
struct BarScale
{
    double zero = 0.0;
    double full = 0.0;
};

BarScale barScale(const ArcsLayout& layout, const ArcsContent& content, ArcSide focus,
                  const Theme& theme)
{
    const QRectF place = layout.bars(focus);
    const double number = numberWidth(content, theme);
    if (!content.isSigned)
        return {place.left(), std::max(place.width() - number, 8.0)};
    return {place.center().x(), std::max(place.width() / 2.0 - number, 8.0)};
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

/// The bars of all heads beside one token, and the largest one's number.
void paintBarsOf(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                 ArcEnd other, const Theme& theme)
{
    const ArcEnd focus = *content.focus();
    int largest = -1;
    for (int head = 0; head < static_cast<int>(content.heads.size()); ++head) {
        const ArcHead& shown = content.heads[static_cast<std::size_t>(head)];
        const float weight = barWeight(content, focus, other, head);
        if (weight == 0.0F)
            continue;
        const QRectF bar = arcBar(layout, content, other, head, theme);
        const QColor colour = linkColour(content, {head, 0, 0, weight}, theme);
        paintBar(painter, bar, shown.slot >= 8, colour);
        if (content.isSigned) // whose bar it is: the colour says the sign
            painter.fillRect(QRectF(layout.bars(focus.side).left(), bar.top(), 4.0, bar.height()),
                             headHue(shown.slot, theme));
        if (largest < 0 || std::abs(weight) > std::abs(barWeight(content, focus, other, largest)))
            largest = head;
    }
    if (largest < 0)
        return;
    const float weight = barWeight(content, focus, other, largest);
    if (std::abs(weight) < kNumbered)
        return;
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.text);
    const QRectF bar = arcBar(layout, content, other, largest, theme);
    const double height = QFontMetricsF(painter.font()).height();
    const double width = numberWidth(content, theme);
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

void paintAllBars(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                  const Theme& theme)
{
    const ArcEnd focus = *content.focus();
    const ArcSide side = otherSide(focus.side);
    const auto [first, last] = visibleRows(layout, content, side);
    for (int index = first; index < last; ++index)
        paintBarsOf(painter, layout, content, {side, index}, theme);
    if (first >= last)
        return;
    const double zero = std::round(barScale(layout, content, focus.side, theme).zero);
    const double top = std::max(layout.row({side, first}).top(), layout.rows().top());
    const double bottom = std::min(layout.row({side, last - 1}).bottom(), layout.rows().bottom());
    painter.fillRect(QRectF(zero - 1.0, top, 1.0, bottom - top), theme.line2);
}

/// "weight from it, scale 0 to 1", the token in its role's colour.
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
    const QString before = content.isSigned ? (outgoing ? tr("change from ") : tr("change to "))
                                            : (outgoing ? tr("weight from ") : tr("weight to "));
    const QString after = content.isSigned ? tr(", −1 to +1") : tr(", scale 0 to 1");
    const double fixed = QFontMetricsF(plain).horizontalAdvance(before + after);
    const double wanted = fixed + QFontMetricsF(strong).horizontalAdvance(content.label(focus));
    if (outgoing) { // narrow bars: the title begins before them, after the word "key"
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

void paintHeader(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
                 const Theme& theme)
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
    if (content.focus())
        paintBarsTitle(painter, layout, content, theme);
}

} // namespace

float barWeight(const ArcsContent& content, ArcEnd focus, ArcEnd other, int head)
{
    return focus.side == ArcSide::Query ? content.weight(head, focus.index, other.index)
                                        : content.weight(head, other.index, focus.index);
}

QRectF arcChip(const ArcsLayout& layout, const ArcsContent& content, ArcEnd end, const Theme& theme)
{
    const QFontMetricsF metrics(theme.bold(layout.tokenRole()));
    const QRectF label = layout.labelRect(end);
    const double text = std::min(metrics.horizontalAdvance(content.label(end)), label.width());
    const double height = std::min(label.height(), metrics.height() + 8.0 * theme.scale());
    const double x = end.side == ArcSide::Query ? label.right() - text - 8.0 : label.left() - 8.0;
    return {x, label.center().y() - height / 2.0, text + 16.0, height};
}

QRectF arcBar(const ArcsLayout& layout, const ArcsContent& content, ArcEnd other, int head,
              const Theme& theme)
{
    const ArcSide focus = otherSide(other.side);
    const BarScale scale = barScale(layout, content, focus, theme);
    const auto heads = static_cast<double>(content.heads.size());
    const double between = std::min(10.0 * theme.scale(), 0.25 * layout.pitch()); // of two rows
    const double step = std::min(8.0 * theme.scale(), (layout.pitch() - between) / heads);
    const double height = step - std::clamp(0.25 * step, std::min(1.0, 0.25 * step), 2.0);
    const double weight =
        double{barWeight(content, content.focus().value_or(ArcEnd{focus, 0}), other, head)};
    const double length = std::clamp(std::abs(weight), 0.0, 1.0) * scale.full;
    const double width = weight == 0.0 ? 0.0 : std::max(length, 1.0);
    const double top = layout.y(other) + (head - heads / 2.0) * step + (step - height) / 2.0;
    return {weight < 0.0 ? scale.zero - width : scale.zero, top, width, height};
}

QImage curvesImage(const QImage& rest, const QImage& dimmedRest, const ArcsLayout& layout,
                   const ArcsContent& content, const Theme& theme)
{
    const auto focus = content.focus();
    if (!focus)
        return rest;
    QImage image = dimmedRest;
    strokeFocus(image, focusArcs(content, *focus, layout.pitch(), theme), layout, theme,
                rest.devicePixelRatio());
    return image;
}

void paintArcs(QPainter& painter, const ArcsLayout& layout, const ArcsContent& content,
               const Theme& theme, const QImage& curves)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(layout.rows());
    if (curves.isNull())
        paintPaths(painter, layout, content, theme);
    else
        painter.drawImage(QPointF(layout.left(), layout.rows().top()), curves);
    paintLabels(painter, layout, content, theme);
    if (content.focus())
        paintAllBars(painter, layout, content, theme);
    painter.restore();
    paintHeader(painter, layout, content, theme);
}

} // namespace headscope::ui
