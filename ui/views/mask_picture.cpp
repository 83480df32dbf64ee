#include "ui/views/mask_picture.h"

#include <QFontMetricsF>

namespace headscope::ui {
namespace {

double paintSwatch(QPainter& painter, QPointF at, const QColor& fill, const QString& words,
                   const Theme& theme)
{
    const QRectF square(at.x(), at.y() + 3.0, 16, 12);
    painter.fillRect(square, theme.line2);
    painter.fillRect(square.adjusted(1, 1, -1, -1), fill);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(words) + 4.0;
    painter.drawText(QRectF(square.right() + 8, at.y(), width, 18),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
    return square.right() + 8 + width;
}

} // namespace

HeatmapContent maskContent(const QStringList& tokens, const HeatmapMask& mask)
{
    const auto size = static_cast<int>(tokens.size());
    HeatmapContent content;
    content.matrix = HeatmapMatrix::copyOf(
        std::vector<float>(static_cast<std::size_t>(size) * size, 1.0F), size, size);
    content.mask = mask;
    content.scale = {MapName::Depth, 0.0F, 2.0F, 1.0}; // the middle of the map: readable, not loud
    content.rowLabels = tokens;
    content.columnLabels = tokens;
    content.valueName = QStringLiteral("may look");
    return content;
}

QString describeMask(const HeatmapMask& mask)
{
    switch (mask.kind) {
    case HeatmapMask::Kind::None:
        return QStringLiteral("every token looks at every token");
    case HeatmapMask::Kind::Causal:
        return QStringLiteral("each token looks at itself and back, never ahead");
    case HeatmapMask::Kind::Window:
        return QStringLiteral("each token looks at %1 tokens, itself and the ones before")
            .arg(mask.window);
    case HeatmapMask::Kind::Cells:
        break;
    }
    return QStringLiteral("cells chosen one by one");
}

QString countAllowed(const HeatmapContent& content)
{
    long long allowed = 0;
    for (int row = 0; row < content.matrix.rows; ++row)
        for (int column = 0; column < content.matrix.columns; ++column)
            allowed += content.isHidden({row, column}) ? 0 : 1;
    const long long all = static_cast<long long>(content.matrix.rows) * content.matrix.columns;
    return QStringLiteral("%1 of %2 pairs may look").arg(count(allowed), count(all));
}

void paintMaskLegend(QPainter& painter, QRectF area, const HeatmapContent& content,
                     const Theme& theme)
{
    const ColourLookup lookup(content.scale, theme);
    const double x = paintSwatch(painter, area.topLeft(), QColor(lookup.colour(1.0F)),
                                 countAllowed(content), theme);
    paintSwatch(painter, {x + 24.0, area.y()}, theme.masked, QStringLiteral("hidden by the mask"),
                theme);
}

} // namespace headscope::ui
