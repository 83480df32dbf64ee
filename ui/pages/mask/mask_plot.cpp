#include "ui/pages/mask/mask_plot.h"

#include "ui/pages/mask/mask_content.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <mutex>

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

/// A matrix of ones, shared by all maps of this size that are shown: 8,192 tokens need 256 MiB.
HeatmapMatrix onesOf(int rows, int columns)
{
    static std::mutex mutex;
    static std::weak_ptr<const float> last;
    static QSize size;
    const std::lock_guard lock(mutex);
    if (const auto known = last.lock(); known && size == QSize(columns, rows))
        return {known, rows, columns};
    HeatmapMatrix ones = HeatmapMatrix::copyOf(
        std::vector<float>(static_cast<std::size_t>(rows) * columns, 1.0F), rows, columns);
    last = ones.values;
    size = QSize(columns, rows);
    return ones;
}

} // namespace

HeatmapContent maskContent(const QStringList& tokens, const HeatmapMask& mask)
{
    return maskContent(tokens, tokens, mask);
}

HeatmapContent maskContent(const QStringList& queries, const QStringList& keys,
                           const HeatmapMask& mask)
{
    const auto rows = static_cast<int>(queries.size());
    const auto columns = static_cast<int>(keys.size());
    HeatmapContent content;
    content.matrix = onesOf(rows, columns);
    content.mask = mask;
    // Middle of the colour map: readable but not dominant.
    content.scale = {MapName::Depth, 0.0F, 2.0F, 1.0};
    content.rowLabels = queries;
    content.columnLabels = keys;
    content.valueName = tr("visible");
    return content;
}

QString describeMask(const HeatmapMask& mask)
{
    switch (mask.kind) {
    case HeatmapMask::Kind::None:
        return tr("every token attends to every token");
    case HeatmapMask::Kind::Causal:
        return tr("each token attends to itself and to earlier tokens");
    case HeatmapMask::Kind::Window:
        return tr("each token attends to %1 tokens: itself and the ones before").arg(mask.window);
    case HeatmapMask::Kind::Cells:
        break;
    }
    return tr("custom cells");
}

QString countAllowed(const HeatmapContent& content)
{
    const MaskCost cost = maskCost(content);
    return tr("%1 of %2 pairs visible").arg(count(cost.visible), count(cost.all));
}

void paintMaskLegend(QPainter& painter, QRectF area, const HeatmapContent& content,
                     const Theme& theme)
{
    const ColourLookup lookup(content.scale, theme);
    const double x = paintSwatch(painter, area.topLeft(), QColor(lookup.colour(1.0F)),
                                 countAllowed(content), theme);
    paintSwatch(painter, {x + 24.0, area.y()}, theme.masked, tr("hidden by the mask"), theme);
}

} // namespace headscope::ui
