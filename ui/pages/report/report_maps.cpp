#include "ui/pages/report/report_maps.h"

#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kApart = 24.0;
constexpr double kTitle = 20.0;
constexpr double kLegend = 48.0;
constexpr double kWidest = 200.0; ///< Fits three side by side.
constexpr double kLargestSide = 18.0;

ThumbnailPtr square(double fraction)
{
    const auto level =
        std::isfinite(fraction)
            ? static_cast<std::uint8_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * 254.0))
            : HeadThumbnail::kMasked;
    return std::make_shared<const HeadThumbnail>(HeadThumbnail{1, 1, {level}});
}

double largestOf(const HeadScoreTable& table, HeadScore score)
{
    double largest = 0.0;
    for (int layer = 0; layer < table.layers; ++layer)
        for (int head = 0; head < table.heads; ++head)
            if (const double value = table.at(layer, head, score); std::isfinite(value))
                largest = std::max(largest, value);
    return largest > 0.0 ? largest : 1.0;
}

/// Fits the page, but is not larger than in the window.
double sideOf(const HeadGridContent& grid, double width, const Theme& theme)
{
    for (double side = kLargestSide * theme.scale(); side > 6.0; side -= 1.0)
        if (headGridSize(grid, theme, side).width() <= width)
            return side;
    return 6.0;
}

QSizeF sizeOf(const ReportMap& map, const Theme& theme)
{
    const double width = kWidest * theme.scale();
    const QSizeF grid = headGridSize(map.grid, theme, sideOf(map.grid, width, theme));
    return {std::max(grid.width(), width),
            grid.height() + (kTitle + kLegend + 8.0) * theme.scale()};
}

void paintMap(QPainter& painter, const QRectF& area, const ReportMap& map, const Theme& theme)
{
    const double title = kTitle * theme.scale();
    const double legend = kLegend * theme.scale();
    painter.setFont(theme.bold(TextRole::Caption));
    painter.setPen(theme.text);
    painter.drawText(QRectF(area.x(), area.y(), area.width(), title),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, map.title);
    const QRectF room(area.x(), area.y() + title, area.width(), area.height() - title - legend);
    const HeadGridLayout layout(room, map.grid, theme);
    const ColourLookup lookup({map.grid.map, map.legend.scale.isSigned() ? -1.0F : 0.0F, 1.0F, 1.0},
                              theme);
    std::vector<QImage> images;
    for (const ThumbnailPtr& thumbnail : map.grid.thumbnails) {
        const QImage image = thumbnailImage(*thumbnail, lookup, std::max(qRound(layout.side()), 1));
        images.push_back(
            image.scaled(image.size() * 4, Qt::IgnoreAspectRatio, Qt::FastTransformation));
    }
    paintHeadGrid(painter, layout, images, map.grid, theme);
    paintColourBar(painter, QRectF(area.x(), area.bottom() - legend, area.width(), legend),
                   map.legend, theme);
}

HeadGridContent gridOf(int layers, int heads)
{
    HeadGridContent grid;
    grid.layers = layers;
    grid.heads = heads;
    grid.outlined = true;
    return grid;
}

} // namespace

ReportMap scoreMap(const HeadScoreTable& table, HeadScore score, int keyValueHeads)
{
    const HeadScoreInfo& info = infoOf(score);
    const bool isOpen = !std::isfinite(info.high);
    const double low = std::isfinite(info.low) ? info.low : 0.0;
    const double high = isOpen ? largestOf(table, score) : info.high;
    ReportMap map;
    map.title = QString::fromUtf8(info.title.data(), static_cast<qsizetype>(info.title.size()));
    map.grid = gridOf(table.layers, table.heads);
    map.grid.keyValueHeads = keyValueHeads;
    map.grid.map = low < 0.0 ? MapName::Balance : MapName::Depth;
    for (int layer = 0; layer < table.layers; ++layer)
        for (int head = 0; head < table.heads; ++head)
            map.grid.thumbnails.push_back(
                square((table.at(layer, head, score) - low) / (high - low)));
    map.legend.scale = {map.grid.map, static_cast<float>(low), static_cast<float>(high), 1.0};
    const QString unit =
        QString::fromUtf8(info.unit.data(), static_cast<qsizetype>(info.unit.size()));
    map.legend.title = isOpen ? tr("%1, 0 to the largest").arg(unit)
                              : tr("fixed, %1 to %2").arg(number(low, 0), number(high, 0));
    return map;
}

ReportMap effectMap(const ReportAblation& ablation, AttentionKind attention, const QString& title)
{
    ReportMap map;
    map.title = title;
    int layers = 0;
    int heads = 0;
    double largest = 0.0;
    for (const ReportEffect& effect : ablation.effects) {
        if (effect.head.attention != attention)
            continue;
        layers = std::max(layers, effect.head.layer + 1);
        heads = std::max(heads, effect.head.head + 1);
        if (std::isfinite(effect.effect))
            largest = std::max(largest, std::abs(effect.effect));
    }
    largest = largest > 0.0 ? largest : 1.0;
    map.grid = gridOf(layers, heads);
    map.grid.map = MapName::Balance;
    map.grid.thumbnails.assign(static_cast<std::size_t>(layers * heads), square(NAN));
    for (const ReportEffect& effect : ablation.effects)
        if (effect.head.attention == attention)
            map.grid.thumbnails[static_cast<std::size_t>(effect.head.layer * heads +
                                                         effect.head.head)] =
                square((effect.effect / largest + 1.0) / 2.0);
    map.legend.scale = ColourScale::difference(static_cast<float>(largest));
    map.legend.title = tr("around 0, to the largest");
    return map;
}

void addMaps(Document& document, const std::vector<ReportMap>& maps)
{
    const Theme theme = document.theme();
    for (std::size_t first = 0; first < maps.size();) {
        std::vector<ReportMap> row;
        QSizeF size;
        for (; first < maps.size() && row.size() < 3; ++first) {
            const QSizeF one = sizeOf(maps[first], theme);
            const double apart = row.empty() ? 0.0 : kApart * theme.scale();
            if (!row.empty() && size.width() + apart + one.width() > document.width())
                break;
            size = {size.width() + apart + one.width(), std::max(size.height(), one.height())};
            row.push_back(maps[first]);
        }
        document.addImage(size, [row, theme](QPainter& painter, const QRectF& area) {
            double x = area.x();
            for (const ReportMap& map : row) {
                const QSizeF one = sizeOf(map, theme);
                paintMap(painter, QRectF(QPointF(x, area.y()), one), map, theme);
                x += one.width() + kApart * theme.scale();
            }
        });
    }
}

} // namespace headscope::ui
