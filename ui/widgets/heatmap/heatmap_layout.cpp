#include "ui/widgets/heatmap/heatmap_layout.h"

#include "ui/widgets/heatmap/heatmap_paint.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kLargestZoomedCell = 64.0;
constexpr double kSinkGap = 12.0;
constexpr double kLeastSink = 8.0; ///< Width of the sink's column beside smaller cells.

/// Largest cell size that fits `count` times; whole device pixels if there is at least one per
/// cell.
double fittingEdge(double space, int count, double pixelRatio)
{
    const double pixels = std::max(space, 0.0) * pixelRatio;
    const double edge = pixels / std::max(count, 1);
    return (edge >= 1.0 ? std::floor(edge) : edge) / pixelRatio;
}

double onDevicePixel(double value, double pixelRatio)
{
    return std::round(value * pixelRatio) / pixelRatio;
}

/// Start of `count` cells so that cell `place` is at `at` in the viewport, without empty space at
/// its ends.
double shifted(double place, double at, double cell, double whole, double shown)
{
    return std::clamp(at - place * cell, std::min(shown - whole, 0.0), 0.0);
}

std::pair<int, int> visible(double begin, double shownBegin, double shownEnd, double cell,
                            int count)
{
    constexpr double kRounding = 1e-6;
    if (!(cell > 0.0))
        return {0, 0};
    const int first = static_cast<int>(std::floor((shownBegin - begin) / cell + kRounding));
    const int last = static_cast<int>(std::ceil((shownEnd - begin) / cell - kRounding));
    return {std::clamp(first, 0, count), std::clamp(last, 0, count)};
}

} // namespace

HeatmapLayout::HeatmapLayout(QRectF area, const HeatmapContent& content,
                             const HeatmapOptions& options, const Theme& theme, double pixelRatio)
    : m_extent(area)
    , m_pixelRatio(pixelRatio)
    , m_rows(content.matrix.rows)
    , m_columns(content.matrix.columns)
{
    if (content.matrix.isEmpty()) {
        m_rows = m_columns = 0;
        return;
    }
    const QMarginsF margins = heatmapMargins(content, options, theme);
    QRectF inner = area.marginsRemoved(margins);
    m_sinkWidth = content.sink.empty() ? 0.0 : kLeastSink;
    takeSizes(inner.size(), options, theme);
    if (hasSink())
        inner.setWidth(inner.width() - kSinkGap - m_sinkWidth);
    placeCells(inner, options.zoom);
    m_extent.setRight(rightEdge() + margins.right());
    m_extent.setBottom(m_viewport.bottom() + margins.bottom());
}

/// Sizes of the cells and of the sink's column, which is one cell wide where that is wide enough.
void HeatmapLayout::takeSizes(QSizeF inner, const HeatmapOptions& options, const Theme& theme)
{
    const double across = inner.width() - (hasSink() ? kSinkGap : 0.0);
    double width = fittingEdge(across - m_sinkWidth, m_columns, m_pixelRatio);
    if (hasSink() && width > kLeastSink)
        width = std::max(fittingEdge(across, m_columns + 1, m_pixelRatio), kLeastSink);
    double height = fittingEdge(inner.height(), m_rows, m_pixelRatio);
    if (options.square) {
        const double wanted = options.largestCell * theme.scale();
        const double largest =
            wanted * m_pixelRatio < 1.0 ? wanted : onDevicePixel(wanted, m_pixelRatio);
        width = height = std::min({width, height, largest});
    }
    m_cell = QSizeF(width, height);
    if (hasSink())
        m_sinkWidth = std::max(width, kLeastSink);
    const double edge = std::min(width, height);
    if (edge > 0.0)
        m_largestFactor = std::max(1.0, kLargestZoomedCell * theme.scale() / edge);
}

double HeatmapLayout::sinkSpace(const HeatmapContent& content, double cellWidth)
{
    return content.sink.empty() ? 0.0 : kSinkGap + std::max(cellWidth, kLeastSink);
}

void HeatmapLayout::placeCells(QRectF inner, const HeatmapZoom& zoom)
{
    m_factor = std::clamp(zoom.factor, 1.0, m_largestFactor);
    if (m_factor > 1.0) {
        const auto larger = [this](double edge) {
            return std::max(1.0, std::round(edge * m_factor * m_pixelRatio)) / m_pixelRatio;
        };
        m_cell = QSizeF(larger(m_cell.width()), larger(m_cell.height()));
    }
    const QSizeF whole(m_cell.width() * m_columns, m_cell.height() * m_rows);
    const QPointF corner(onDevicePixel(inner.x(), m_pixelRatio),
                         onDevicePixel(inner.y(), m_pixelRatio));
    m_viewport = QRectF(corner, whole);
    if (m_factor > 1.0)
        m_viewport.setSize(whole.boundedTo(
            {std::floor(std::max(inner.width(), 1.0)), std::floor(std::max(inner.height(), 1.0))}));
    const double x =
        shifted(zoom.cell.x(), zoom.at.x(), m_cell.width(), whole.width(), m_viewport.width());
    const double y =
        shifted(zoom.cell.y(), zoom.at.y(), m_cell.height(), whole.height(), m_viewport.height());
    m_cells = QRectF(
        corner + QPointF(onDevicePixel(x, m_pixelRatio), onDevicePixel(y, m_pixelRatio)), whole);
}

std::pair<int, int> HeatmapLayout::visibleRows() const
{
    return visible(m_cells.y(), m_viewport.y(), m_viewport.bottom(), m_cell.height(), m_rows);
}

std::pair<int, int> HeatmapLayout::visibleColumns() const
{
    return visible(m_cells.x(), m_viewport.x(), m_viewport.right(), m_cell.width(), m_columns);
}

QRectF HeatmapLayout::cellRect(HeatmapCell cell) const
{
    return {m_cells.x() + cell.column * m_cell.width(), m_cells.y() + cell.row * m_cell.height(),
            m_cell.width(), m_cell.height()};
}

std::optional<HeatmapCell> HeatmapLayout::cellAt(QPointF position) const
{
    if (m_rows == 0 || m_cell.isEmpty())
        return std::nullopt;
    if (m_factor > 1.0 && !m_viewport.contains(position))
        return std::nullopt;
    constexpr double kRounding = 1e-6; // so that a cell's own left edge belongs to it
    const double column = (position.x() - m_cells.x()) / m_cell.width() + kRounding;
    const double row = (position.y() - m_cells.y()) / m_cell.height() + kRounding;
    if (!(column >= 0.0 && column < m_columns && row >= 0.0 && row < m_rows))
        return std::nullopt;
    return HeatmapCell{static_cast<int>(row), static_cast<int>(column)};
}

QRectF HeatmapLayout::sinkRect(int row) const
{
    if (!hasSink())
        return {};
    const QRectF cell = cellRect({row, 0});
    return {m_viewport.right() + kSinkGap, cell.y(), m_sinkWidth, cell.height()};
}

std::optional<int> HeatmapLayout::sinkAt(QPointF position) const
{
    const QRectF first = sinkRect(0);
    if (!hasSink() || position.x() < first.x() || position.x() >= first.right())
        return std::nullopt;
    const auto cell = cellAt({m_viewport.x(), position.y()}); // the rows are those of the cells
    return cell ? std::optional<int>(cell->row) : std::nullopt;
}

double HeatmapLayout::rightEdge() const
{
    return hasSink() ? sinkRect(0).right() : m_viewport.right();
}

QSize HeatmapLayout::imageSize() const
{
    const auto pixels = [this](int count, double length) {
        const auto available = static_cast<int>(std::lround(length * m_pixelRatio));
        return std::clamp(available, std::min(count, 1), count);
    };
    return {pixels(m_columns, m_cells.width()), pixels(m_rows, m_cells.height())};
}

} // namespace headscope::ui
