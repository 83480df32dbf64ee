#include "ui/widgets/diagrams/box_diagram.h"

#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTall = 42.0;
constexpr double kShort = 26.0;
constexpr double kLevelGap = 22.0;
constexpr double kColumnGap = 48.0;
constexpr double kPadding = 12.0;
constexpr double kNarrowest = 72.0;
constexpr double kWidest = 240.0;
constexpr double kAround = 18.0; ///< Space at the right for arrows that pass around a box.

QString fromText(const std::string& text)
{
    return QString::fromStdString(text);
}

int levels(const LabDiagram& diagram)
{
    int most = 0;
    for (const LabDiagram::Box& box : diagram.boxes)
        most = std::max(most, box.level + 1);
    return std::max(most, 1);
}

int columns(const LabDiagram& diagram)
{
    int most = 0;
    for (const LabDiagram::Box& box : diagram.boxes)
        most = std::max(most, box.column + 1);
    return std::max(most, 1);
}

double widestBox(const LabDiagram& diagram, const Theme& theme, bool withWords)
{
    const QFontMetricsF label(theme.font(TextRole::Table));
    const QFontMetricsF words(theme.font(TextRole::Caption));
    double widest = kNarrowest * theme.scale();
    for (const LabDiagram::Box& box : diagram.boxes) {
        widest = std::max(widest, label.horizontalAdvance(fromText(box.label)) + 2 * kPadding);
        if (withWords)
            widest = std::max(widest, words.horizontalAdvance(fromText(box.words)) + 2 * kPadding);
    }
    return std::min(widest, kWidest * theme.scale());
}

double labelWidth(const LabDiagram::Box& box, const Theme& theme)
{
    return QFontMetricsF(theme.font(TextRole::Table)).horizontalAdvance(fromText(box.label)) +
           2.0 * kPadding;
}

/// Minimum column width; a label may extend over columns without a box in its level.
double roomyWidth(const LabDiagram& diagram, const std::vector<QRectF>& boxes, std::size_t index,
                  double right, const Theme& theme)
{
    const QRectF& own = boxes[index];
    double end = right;
    for (std::size_t other = 0; other < boxes.size(); ++other)
        if (diagram.boxes[other].level == diagram.boxes[index].level &&
            boxes[other].left() > own.left() + 1.0)
            end = std::min(end, boxes[other].left() - 8.0);
    return std::max(own.width(),
                    std::min(labelWidth(diagram.boxes[index], theme), end - own.left()));
}

void paintHead(QPainter& painter, QPointF tip, QPointF way, const QColor& colour)
{
    const QPointF along = way / std::max(1e-6, std::hypot(way.x(), way.y()));
    const QPointF across(-along.y(), along.x());
    QPainterPath head(tip);
    head.lineTo(tip - 7.0 * along + 4.0 * across);
    head.lineTo(tip - 7.0 * along - 4.0 * across);
    head.closeSubpath();
    painter.fillPath(head, colour);
}

/// Arrow that goes straight up to the next level, curves to another column, and passes around boxes
/// between.
QPainterPath arrowPath(const LabDiagram& diagram, const BoxDiagramLayout& layout, int from, int to)
{
    const QRectF begin = layout.box(static_cast<std::size_t>(from));
    const QRectF end = layout.box(static_cast<std::size_t>(to));
    const LabDiagram::Box& source = diagram.boxes[static_cast<std::size_t>(from)];
    const LabDiagram::Box& target = diagram.boxes[static_cast<std::size_t>(to)];
    if (source.level == target.level) {
        const bool right = target.column > source.column;
        QPainterPath path({right ? begin.right() : begin.left(), begin.center().y()});
        path.lineTo(right ? end.left() : end.right(), end.center().y());
        return path;
    }
    if (source.column == target.column && std::abs(target.level - source.level) > 1) {
        const double out = begin.right() + std::min(kAround, layout.columnGap() / 2.0);
        QPainterPath path({begin.right(), begin.center().y()});
        path.lineTo(out, begin.center().y());
        path.lineTo(out, end.center().y());
        path.lineTo(end.right(), end.center().y());
        return path;
    }
    const bool up = target.level > source.level;
    const QPointF start(begin.center().x(), up ? begin.top() : begin.bottom());
    const QPointF stop(end.center().x(), up ? end.bottom() : end.top());
    QPainterPath path(start);
    if (std::abs(start.x() - stop.x()) < 1.0) {
        path.lineTo(stop);
    } else {
        const double bend = (stop.y() - start.y()) * 0.5;
        path.cubicTo(start + QPointF(0, bend), stop - QPointF(0, bend), stop);
    }
    return path;
}

void paintBox(QPainter& painter, const QRectF& place, const LabDiagram::Box& box, bool withWords,
              const Theme& theme)
{
    painter.setPen(QPen(theme.control, 1.0));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(place, 6, 6);
    painter.setBrush(Qt::NoBrush);
    const bool hasText = withWords && !box.words.empty();
    const QRectF inner = place.adjusted(6, 2, -6, -2);
    const QRectF label(inner.x(), inner.y(), inner.width(),
                       hasText ? inner.height() * 0.55 : inner.height());
    const auto write = [&](const QRectF& where, TextRole role, const QColor& colour,
                           const std::string& text) {
        painter.setFont(theme.font(role));
        painter.setPen(colour);
        painter.drawText(where, Qt::AlignCenter | Qt::TextSingleLine,
                         QFontMetricsF(painter.font())
                             .elidedText(fromText(text), Qt::ElideRight, where.width()));
    };
    const bool isTight = place.height() < 20.0 * theme.scale() ||
                         labelWidth(box, theme) - 2.0 * kPadding > label.width();
    write(label, isTight ? TextRole::Caption : TextRole::Table, theme.text, box.label);
    if (hasText)
        write({inner.x(), label.bottom(), inner.width(), inner.bottom() - label.bottom()},
              TextRole::Caption, theme.text2, box.words);
}

} // namespace

QSizeF boxDiagramSize(const LabDiagram& diagram, const Theme& theme, bool withWords)
{
    const double scale = theme.scale();
    const int across = columns(diagram);
    const int up = levels(diagram);
    const double gap = (withWords ? 1.0 : 0.4) * kColumnGap * scale;
    return {across * widestBox(diagram, theme, withWords) + (across - 1) * gap + 2.0 * kAround,
            up * (withWords ? kTall : kShort) * scale +
                (up - 1) * (withWords ? kLevelGap : 14.0) * scale + 4.0};
}

BoxDiagramLayout::BoxDiagramLayout(QRectF area, const LabDiagram& diagram, const Theme& theme)
    : m_boxes(diagram.boxes.size())
{
    const double scale = theme.scale();
    const int across = columns(diagram);
    const int up = levels(diagram);
    const double pitch = (area.height() - 4.0) / up;
    m_hasText = pitch >= (kTall + 12.0) * scale;
    const double height = std::min((m_hasText ? kTall : kShort) * scale, pitch * 0.74);
    const double step = std::min(pitch, height + 2.5 * kLevelGap * scale);
    const double room = area.width() - 2.0 * kAround;
    const double wanted = widestBox(diagram, theme, m_hasText);
    const double width = std::min(wanted, room / (across + 0.35 * (across - 1)));
    m_gap = across > 1
                ? std::clamp((room - across * width) / (across - 1), 12.0, 2.0 * kColumnGap * scale)
                : 2.0 * kAround;
    const double whole = across * width + (across - 1) * (across > 1 ? m_gap : 0.0);
    const double left = area.center().x() - whole / 2.0;
    const double bottom = area.center().y() + up * step / 2.0;
    for (std::size_t index = 0; index < diagram.boxes.size(); ++index) {
        const LabDiagram::Box& box = diagram.boxes[index];
        m_boxes[index] = {left + box.column * (width + m_gap),
                          bottom - (box.level + 1) * step + (step - height) / 2.0, width, height};
    }
    for (std::size_t index = 0; index < diagram.boxes.size(); ++index)
        m_boxes[index].setWidth(roomyWidth(diagram, m_boxes, index, area.right(), theme));
}

void paintBoxDiagram(QPainter& painter, const QRectF& area, const LabDiagram& diagram,
                     const Theme& theme)
{
    const BoxDiagramLayout layout(area, diagram, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [from, to] : diagram.arrows) {
        const QPainterPath path = arrowPath(diagram, layout, from, to);
        painter.setPen(QPen(theme.control, 1.5));
        painter.drawPath(path);
        const QPointF tip = path.pointAtPercent(1.0);
        paintHead(painter, tip, tip - path.pointAtPercent(0.96), theme.control);
    }
    for (std::size_t index = 0; index < diagram.boxes.size(); ++index)
        paintBox(painter, layout.box(index), diagram.boxes[index], layout.hasText(), theme);
    painter.restore();
}

QString describeBox(const LabDiagram& diagram, std::size_t index)
{
    QStringList from, to;
    for (const auto& [source, target] : diagram.arrows) {
        if (target == static_cast<int>(index))
            from << fromText(diagram.boxes[static_cast<std::size_t>(source)].label);
        if (source == static_cast<int>(index))
            to << fromText(diagram.boxes[static_cast<std::size_t>(target)].label);
    }
    QString words = fromText(diagram.boxes[index].label);
    if (!diagram.boxes[index].words.empty())
        words += QStringLiteral(", ") + fromText(diagram.boxes[index].words);
    if (!from.isEmpty())
        words += tr(", from %1").arg(from.join(QStringLiteral(", ")));
    if (!to.isEmpty())
        words += tr(", to %1").arg(to.join(QStringLiteral(", ")));
    return words;
}

void BoxDiagram::setContent(const LabDiagram& diagram)
{
    m_diagram = diagram;
    contentChanged(
        tr("%n box(es), from the bottom up", nullptr, static_cast<int>(diagram.boxes.size())),
        currentItem());
}

std::vector<DiagramItem> BoxDiagram::makePlaces(const QRectF& area, const Theme& theme) const
{
    const BoxDiagramLayout layout(area, m_diagram, theme);
    std::vector<DiagramItem> places;
    for (std::size_t index = 0; index < m_diagram.boxes.size(); ++index)
        places.push_back({layout.box(index), describeBox(m_diagram, index)});
    return places;
}

void BoxDiagram::paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const
{
    paintBoxDiagram(painter, area, m_diagram, theme);
}

} // namespace headscope::ui
