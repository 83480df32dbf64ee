#include "ui/widgets/flow/flow_paint.h"

#include "ui/widgets/flow/flow_lines.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Colour of positive weights; negative ones use the theme's negative colour.
QColor lineColour(const FlowGraphContent& content, const Theme& theme)
{
    return content.isSigned ? theme.more : content.pinned ? theme.accent : theme.text2;
}

/// Interval of the labels for many layers: every second, third, fifth, tenth ...
int levelStep(double room, double pitch)
{
    for (int step : {1, 2, 3, 5, 10, 20})
        if (step * pitch >= room)
            return step;
    return 50;
}

void paintHeader(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                 const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    const QFontMetricsF metrics(painter.font());
    const double room = metrics.horizontalAdvance(levelName(content.levels - 1)) + 8.0;
    const int step = content.levels > 1
                         ? levelStep(room, layout.place({1, 0}).x() - layout.place({0, 0}).x())
                         : 1;
    for (int level = 0; level < content.levels; ++level) {
        const int layer = level - 1;
        if (level > 0 && (layer % step != 0 || (step > 1 && layer == 0)))
            continue; // would touch the name of the input
        const QString name = levelName(level);
        const QPointF place = layout.place({level, 0});
        const double x = place.x() - metrics.horizontalAdvance(name) / 2.0;
        painter.drawText(QPointF(x, place.y() - layout.rowHeight() / 2.0 - 8.0), name);
    }
}

void paintLabels(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                 const QRectF& exposed, const Theme& theme)
{
    for (int token = 0; token < content.tokens(); ++token) {
        for (const bool right : {false, true}) {
            const QRectF rect = layout.labelRect(token, right);
            if (!rect.intersects(exposed))
                continue;
            const bool strong = content.pinned && content.pinned->token == token;
            painter.setFont(strong ? theme.bold(TextRole::MapToken)
                                   : theme.font(TextRole::MapToken));
            painter.setPen(content.stale ? theme.text3 : strong ? theme.accent : theme.text);
            const QString text =
                QFontMetricsF(painter.font())
                    .elidedText(content.labels[token], Qt::ElideRight, rect.width() - 12.0);
            const QRectF inner = rect.adjusted(right ? 12 : 0, 0, right ? 0 : -12, 0);
            painter.drawText(inner, (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                             text);
        }
    }
}

double radiusOf(const FlowGraphContent& content, FlowNode node)
{
    const auto level = static_cast<std::size_t>(node.level);
    if (content.nodes.empty())
        return 3.0;
    if (level >= content.nodes.size())
        return 0.0;
    const float fraction = content.nodes[level][static_cast<std::size_t>(node.token)];
    return fraction == 0.0F ? 0.0
                            : 2.0 + 4.0 * std::sqrt(std::min(std::abs(double{fraction}), 1.0));
}

void paintNodes(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                const QRectF& exposed, const Theme& theme)
{
    for (int level = 0; level < content.levels; ++level) {
        for (int token = 0; token < content.tokens(); ++token) {
            const FlowNode node{level, token};
            const QPointF place = layout.place(node);
            if (place.y() < exposed.top() - 12 || place.y() > exposed.bottom() + 12)
                continue;
            const bool isPinned = content.pinned == node;
            const double radius = isPinned ? 7.0 : std::max(radiusOf(content, node), 1.5);
            const bool quiet = !content.nodes.empty() && radiusOf(content, node) == 0.0;
            painter.setPen(QPen(theme.surface, 1.5));
            painter.setBrush(isPinned                ? theme.accent
                             : quiet                 ? theme.line2
                             : content.nodes.empty() ? theme.bar
                                                     : theme.text2);
            painter.drawEllipse(place, radius, radius);
            if (content.cursor != node)
                continue;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.text, 2.0));
            painter.drawEllipse(place, radius + 3.0, radius + 3.0);
        }
    }
}

void paintChosen(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                 const Theme& theme)
{
    if (!content.edge)
        return;
    const FlowEdge& edge = *content.edge;
    const QLineF line(layout.place({edge.layer, edge.from}),
                      layout.place({edge.layer + 1, edge.to}));
    const double width = std::max(FlowLines::width(double{content.fractionOf(edge)}), 2.0);
    painter.setPen(QPen(theme.surface, width + 4.0, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line);
    painter.setPen(QPen(theme.key, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line);
}

} // namespace

void paintFlow(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
               const std::vector<FlowEdge>& drawn, QRectF exposed, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    FlowLines(layout, drawn, exposed).paint(painter, lineColour(content, theme), theme.less);
    painter.restore();
    paintFlowNodes(painter, layout, content, exposed, theme);
}

QImage flowImage(const FlowLayout& layout, const FlowGraphContent& content,
                 const std::vector<FlowEdge>& drawn, QRectF exposed, const Theme& theme,
                 double pixelRatio)
{
    QImage image((exposed.size() * pixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(theme.surface);
    FlowLines(layout, drawn, exposed).paint(image, lineColour(content, theme), theme.less);
    return image;
}

void paintFlowNodes(QPainter& painter, const FlowLayout& layout, const FlowGraphContent& content,
                    QRectF exposed, const Theme& theme)
{
    if (content.tokens() == 0 || content.levels == 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintChosen(painter, layout, content, theme);
    paintNodes(painter, layout, content, exposed, theme);
    paintHeader(painter, layout, content, theme);
    paintLabels(painter, layout, content, exposed, theme);
    painter.restore();
}

} // namespace headscope::ui
