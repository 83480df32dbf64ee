#include "ui/views/trace_figure_content.h"
#include "ui/views/mask_picture.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kMargin = 24.0;
constexpr int kEnlarged = 8; ///< viewers smooth small embedded images

QImage forTarget(const QImage& image, FigureTarget target)
{
    if (target == FigureTarget::Pixels || image.isNull())
        return image;
    const int factor = std::clamp(2048 / std::max(image.width(), image.height()), 1, kEnlarged);
    return image.scaled(image.size() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

void paintMap(QPainter& painter, const FigureContent& content, QRectF area, const Theme& theme,
              FigureTarget target, double pixelRatio)
{
    HeatmapOptions options = content.mapOptions;
    options.cellsAsShapes = target == FigureTarget::Vectors;
    const double legend = 52.0 * theme.scale();
    const HeatmapLayout layout(area.adjusted(0, 0, 0, -legend - 12.0), content.map, options, theme,
                               pixelRatio);
    const QImage image = heatmapImage(content.map, theme, layout.imageSize());
    paintHeatmap(painter, layout, forTarget(image, target), content.map, options, theme);
    const QRectF below(layout.cells().x(),
                       std::min(layout.cells().bottom() + 16.0, area.bottom() - legend),
                       area.right() - layout.cells().x(), legend);
    if (content.view == FigureView::Mask)
        paintMaskLegend(painter, below, content.map, theme);
    else
        paintColourBar(painter, below, content.legend, theme);
}

void paintGrid(QPainter& painter, const FigureContent& content, QRectF area, const Theme& theme,
               FigureTarget target, double pixelRatio)
{
    const double legend = 52.0 * theme.scale();
    const HeadGridLayout layout(area.adjusted(0, 0, 0, -legend - 16.0), content.grid, theme,
                                pixelRatio);
    const ColourLookup lookup(content.legend.scale, theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : content.grid.thumbnails) {
        const int pixels = target == FigureTarget::Vectors
                               ? 4 * std::max(thumbnail->rows, 1)
                               : static_cast<int>(std::lround(layout.side() * pixelRatio));
        images.push_back(thumbnailImage(*thumbnail, lookup, pixels));
    }
    paintHeadGrid(painter, layout, images, content.grid, theme);
    const QRectF below(area.x() + 28.0 * theme.scale(), layout.size().height() + 16.0,
                       area.width() - 28.0, legend);
    paintColourBar(painter, below, content.legend, theme);
}

void paintPositionsPage(QPainter& painter, const FigureContent& content, QRectF area,
                        const Theme& theme, double pixelRatio)
{
    const bool rotates =
        content.positions.scheme == PositionScheme::Sinusoidal && area.width() > 800.0;
    const double side = rotates ? 280.0 * theme.scale() : 0.0;
    const QRectF plot = area.adjusted(0, 0, rotates ? -side - 32.0 : 0.0, 0);
    paintPositions(painter, PositionsLayout(plot, content.positions, theme, pixelRatio),
                   content.positions, theme);
    if (!rotates)
        return;
    const QRectF column(area.right() - side, area.y(), side, area.height());
    paintSectionHeading(painter, column.topLeft(), QStringLiteral("A move is a rotation"), {},
                        theme);
    paintClocks(painter, column.adjusted(0, 40.0 * theme.scale(), 0, -64.0 * theme.scale()),
                content.positions, theme);
    const double error = largestRotationError(content.positions.table, content.positions.offset,
                                              content.positions.base);
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.ok);
    painter.drawText(
        QRectF(column.x(), column.bottom() - 28.0, side, 24.0), Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("largest error of the rotation %1").arg(rotationErrorText(error)));
}

/// Title, then model and sentence in a lighter tone.
void paintHeader(QPainter& painter, const FigureContent& content, QRectF area, const Theme& theme)
{
    const double end =
        paintSectionHeading(painter, area.topLeft(), content.title, content.subtitle, theme);
    Q_UNUSED(end)
    if (content.sentence.isEmpty())
        return;
    const QFont font = theme.font(TextRole::Caption);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.text2);
    painter.drawText(QPointF(area.x(), area.y() + 24.0 * theme.scale() + metrics.ascent()),
                     metrics.elidedText(QStringLiteral("“%1”").arg(content.sentence.left(400)),
                                        Qt::ElideRight, area.width()));
}

} // namespace

void paintFigure(QPainter& painter, const FigureContent& content, const Theme& theme,
                 FigureTarget target, double pixelRatio)
{
    const QRectF page(QPointF(0, 0), QSizeF(content.size));
    painter.fillRect(page.adjusted(-1, -1, 1, 1), theme.surface); // sizes in mm are rounded
    const QRectF inner = page.adjusted(kMargin, 16.0, -kMargin, -16.0);
    paintHeader(painter, content, inner, theme);
    const QRectF body = inner.adjusted(0, 48.0 * theme.scale(), 0, 0);
    switch (content.view) {
    case FigureView::Head:
    case FigureView::Mask:
        paintMap(painter, content, body, theme, target, pixelRatio);
        break;
    case FigureView::Grid:
        paintGrid(painter, content, body, theme, target, pixelRatio);
        break;
    case FigureView::Positions:
        paintPositionsPage(painter, content, body, theme, pixelRatio);
        break;
    }
}

} // namespace headscope::ui
