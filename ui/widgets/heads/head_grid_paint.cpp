#include "ui/widgets/heads/head_grid_paint.h"

#include "ui/widgets/heatmap/heatmap_marks.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

struct Brush
{
    QPainter& painter;
    const HeadGridLayout& layout;
    const HeadGridContent& content;
    const Theme& theme;
};

/// Label interval at which neighbours do not touch; the selected one is always labelled.
int labelStep(int count, double pitch, double wanted)
{
    for (int step : {1, 2, 5, 10, 20, 50})
        if (step * pitch >= wanted || step >= count)
            return step;
    return 100;
}

/// Number of `pitch` steps that keep two numbers from touching.
int stepsApart(double room, double pitch)
{
    return std::max(1, static_cast<int>(std::ceil(room / pitch)));
}

void setLabelStyle(const Brush& brush, bool selected)
{
    brush.painter.setFont(selected ? brush.theme.bold(TextRole::Caption)
                                   : brush.theme.font(TextRole::Caption));
    brush.painter.setPen(selected ? brush.theme.accent : brush.theme.text3);
}

void paintLayerNumbers(const Brush& brush)
{
    const double side = brush.layout.side();
    const double pitch = side + 2.0;
    const double line = 14.0 * brush.theme.scale();
    const int step = labelStep(brush.content.layers, pitch, side >= 18.0 ? line : 60.0);
    const int wanted = step == 1 && brush.content.layers > 16 ? 5 : step;
    const int selected = brush.content.selected ? brush.content.selected->layer : -1;
    for (int layer :
         numbersShown(brush.content.layers, wanted, stepsApart(line, pitch), selected)) {
        setLabelStyle(brush, layer == selected);
        const QRectF place(brush.layout.columnX(0) - 48.0,
                           brush.layout.rowY(layer) + side / 2.0 - 10.0, 40.0, 20.0);
        brush.painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
    }
}

void paintHeadNumbers(const Brush& brush)
{
    const double side = brush.layout.side();
    const double pitch = brush.layout.pitch();
    const double room = 18.0 * brush.theme.scale(); // two digits and a gap
    const int step = labelStep(brush.content.heads, pitch, room);
    const int selected =
        brush.content.selected ? brush.layout.placeOf(*brush.content.selected) : -1;
    const double height = 20.0 * brush.theme.scale();
    for (int head : numbersShown(brush.content.heads, step, stepsApart(room, pitch), selected)) {
        setLabelStyle(brush, head == selected);
        const QRectF place(brush.layout.columnX(head) - 10.0, brush.layout.rowY(0) - height,
                           side + 20.0, height - 2.0);
        const QString text = QString::number(brush.content.order.empty() ? head : head + 1);
        brush.painter.drawText(place, Qt::AlignCenter, text);
    }
}

/// Paints the brackets of groups that share keys and values.
void paintBrackets(const Brush& brush)
{
    const int size = brush.layout.groupSize();
    if (size == 0)
        return;
    const double scale = brush.theme.scale();
    for (int group = 0; group * size < brush.content.heads; ++group) {
        const double left = brush.layout.columnX(group * size);
        const double right = brush.layout.columnX(group * size + size - 1) + brush.layout.side();
        const double y = std::round(brush.layout.rowY(0) - 24.0 * scale);
        for (const QRectF& stroke :
             {QRectF(left, y, right - left, 1), QRectF(left, y, 1, 5), QRectF(right - 1, y, 1, 5)})
            brush.painter.fillRect(stroke, brush.theme.text3);
        brush.painter.setFont(brush.theme.font(TextRole::Caption));
        brush.painter.setPen(brush.theme.text2);
        const QString full = QStringLiteral("KV %1").arg(group);
        const bool fits =
            QFontMetricsF(brush.painter.font()).horizontalAdvance(full) <= right - left + 4.0;
        brush.painter.drawText(QRectF(left - 20, y - 18.0 * scale, right - left + 40, 16.0 * scale),
                               Qt::AlignCenter, fits ? full : QString::number(group));
    }
}

void paintMarks(const Brush& brush, GridCell index)
{
    const QRectF rect = brush.layout.headRect(index);
    if (brush.content.switchedOff.contains(index)) {
        brush.painter.save();
        brush.painter.setRenderHint(QPainter::Antialiasing);
        brush.painter.setPen(QPen(brush.theme.text3, 1.0));
        brush.painter.drawLine(rect.bottomLeft(), rect.topRight());
        brush.painter.restore();
    }
    const auto pin = brush.content.pinned.find(index);
    if (pin != brush.content.pinned.end())
        brush.painter.fillRect(
            QRectF(rect.right() - 4, rect.y(), 4, 4),
            brush.theme.heads[static_cast<std::size_t>(pin->second) % brush.theme.heads.size()]);
}

void paintSelection(const Brush& brush)
{
    if (!brush.content.selected || !brush.content.contains(*brush.content.selected))
        return;
    const QRectF rect = brush.layout.headRect(*brush.content.selected);
    fillFrame(brush.painter, rect.adjusted(-2, -2, 2, 2), 2.0, brush.theme.surface);
    fillFrame(brush.painter, rect.adjusted(-4, -4, 4, 4), 2.0, brush.theme.accent);
}

} // namespace

std::vector<int> numbersShown(int count, int step, int apart, int selected)
{
    const int last = count - 1;
    std::vector<int> shown;
    for (int index = 0; index < count; ++index) {
        const bool nearSelected = selected >= 0 && std::abs(index - selected) < apart;
        const bool wanted =
            index == last || (index % step == 0 && (last - index >= apart || index == 0));
        if (index == selected || (wanted && !nearSelected))
            shown.push_back(index);
    }
    return shown;
}

void paintHeadGrid(QPainter& painter, const HeadGridLayout& layout,
                   const std::vector<QImage>& images, const HeadGridContent& content,
                   const Theme& theme)
{
    const Brush brush{painter, layout, content, theme};
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (int layer = 0; layer < content.layers; ++layer) {
        for (int head = 0; head < content.heads; ++head) {
            const QRectF rect = layout.headRect({layer, head});
            const auto place = static_cast<std::size_t>(layer) * content.heads + head;
            if (place < images.size() && !images[place].isNull())
                painter.drawImage(rect, images[place]);
            else if (!images.empty())
                painter.fillRect(rect, theme.masked);
            if (content.outlined)
                fillFrame(painter, rect, 1.0, theme.line);
            paintMarks(brush, {layer, head});
        }
    }
    paintLayerNumbers(brush);
    paintHeadNumbers(brush);
    paintBrackets(brush);
    paintSelection(brush);
    painter.restore();
}

} // namespace headscope::ui
