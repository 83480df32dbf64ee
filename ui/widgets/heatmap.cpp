#include "ui/widgets/heatmap.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// The largest cell edge that fits `count` times; whole device pixels where there is one a cell.
double fittingEdge(double space, int count, double pixelRatio)
{
    const double pixels = std::max(space, 0.0) * pixelRatio;
    const double edge = pixels / std::max(count, 1);
    return (edge >= 1.0 ? std::floor(edge) : edge) / pixelRatio;
}

double onPixel(double value, double pixelRatio)
{
    return std::round(value * pixelRatio) / pixelRatio;
}

/// Walks one row and hands every cell's value, kHidden where the mask hides it.
template<class Visit>
void visitRow(const HeatmapContent& content, int row, Visit visit)
{
    const HeatmapMatrix& matrix = content.matrix;
    const float* values = matrix.values.get() + static_cast<std::size_t>(row) * matrix.columns;
    const std::uint8_t* allowed = nullptr;
    if (content.mask.kind == HeatmapMask::Kind::Cells && content.mask.allowed)
        allowed = content.mask.allowed->data() + static_cast<std::size_t>(row) * matrix.columns;
    const auto [first, last] = content.mask.visibleColumns(row, matrix);
    for (int column = 0; column < matrix.columns; ++column) {
        const bool visible = column >= first && column < last && (!allowed || allowed[column] != 0);
        visit(column, visible ? values[column] : kHidden);
    }
}

/// The value that a bin shows: NaN before anything, then the largest magnitude.
void merge(float& bin, float value)
{
    if (std::isnan(bin) || value == kHidden)
        return;
    if (bin == kHidden || std::isnan(value) || std::abs(value) > std::abs(bin))
        bin = value;
}

std::vector<float> pooledValues(const HeatmapContent& content, QSize size)
{
    const HeatmapMatrix& matrix = content.matrix;
    std::vector<float> bins(static_cast<std::size_t>(size.width()) * size.height(), kHidden);
    std::vector<int> columnBin(static_cast<std::size_t>(matrix.columns));
    for (int column = 0; column < matrix.columns; ++column)
        columnBin[static_cast<std::size_t>(column)] =
            static_cast<int>(static_cast<std::int64_t>(column) * size.width() / matrix.columns);
    for (int row = 0; row < matrix.rows; ++row) {
        const auto binRow = static_cast<std::int64_t>(row) * size.height() / matrix.rows;
        float* line = bins.data() + binRow * size.width();
        visitRow(content, row, [&](int column, float value) {
            merge(line[columnBin[static_cast<std::size_t>(column)]], value);
        });
    }
    return bins;
}

QString labelOr(const QStringList& labels, int index)
{
    return index >= 0 && index < labels.size() ? labels.at(index) : QString::number(index);
}

bool isLargestInRow(const HeatmapContent& content, HeatmapCell cell)
{
    bool largest = true;
    const float value = content.matrix.at(cell);
    visitRow(content, cell.row, [&](int, float other) { largest = largest && !(other > value); });
    return largest;
}

} // namespace

bool HeatmapMatrix::contains(HeatmapCell cell) const
{
    return !isEmpty() && cell.row >= 0 && cell.row < rows && cell.column >= 0 &&
           cell.column < columns;
}

float HeatmapMatrix::at(HeatmapCell cell) const
{
    if (!contains(cell))
        throw ShapeError("HeatmapMatrix::at: cell [" + std::to_string(cell.row) + ", " +
                         std::to_string(cell.column) + "] is outside [" + std::to_string(rows) +
                         ", " + std::to_string(columns) + "]");
    return values.get()[static_cast<std::size_t>(cell.row) * columns + cell.column];
}

HeatmapMatrix HeatmapMatrix::copyOf(std::vector<float> values, int rows, int columns)
{
    if (rows < 0 || columns < 0 || values.size() != static_cast<std::size_t>(rows) * columns)
        throw ShapeError("HeatmapMatrix::copyOf: " + std::to_string(values.size()) +
                         " values do not make [" + std::to_string(rows) + ", " +
                         std::to_string(columns) + "]");
    auto owner = std::make_shared<const std::vector<float>>(std::move(values));
    return {std::shared_ptr<const float>(owner, owner->data()), rows, columns};
}

std::pair<int, int> HeatmapMask::visibleColumns(int row, const HeatmapMatrix& matrix) const
{
    if (kind != Kind::Causal && kind != Kind::Window)
        return {0, matrix.columns};
    const int last = std::clamp(row + 1 + matrix.columns - matrix.rows, 0, matrix.columns);
    return {kind == Kind::Window ? std::max(0, last - std::max(window, 0)) : 0, last};
}

bool HeatmapMask::hides(HeatmapCell cell, const HeatmapMatrix& matrix) const
{
    const auto [first, last] = visibleColumns(cell.row, matrix);
    if (cell.column < first || cell.column >= last)
        return true;
    const auto index = static_cast<std::size_t>(cell.row) * matrix.columns + cell.column;
    return kind == Kind::Cells && allowed && index < allowed->size() && (*allowed)[index] == 0;
}

bool HeatmapContent::isHidden(HeatmapCell cell) const
{
    return mask.hides(cell, matrix) || matrix.at(cell) == kHidden;
}

QString HeatmapContent::rowLabel(int row) const
{
    return labelOr(rowLabels, row);
}

QString HeatmapContent::columnLabel(int column) const
{
    return labelOr(columnLabels, column);
}

HeatmapLayout::HeatmapLayout(QRectF area, const HeatmapContent& content,
                             const HeatmapOptions& options, const Theme& theme, double pixelRatio)
    : m_pixelRatio(pixelRatio)
    , m_rows(content.matrix.rows)
    , m_columns(content.matrix.columns)
{
    if (content.matrix.isEmpty()) {
        m_rows = m_columns = 0;
        return;
    }
    const QRectF inner = area.marginsRemoved(heatmapMargins(content, options, theme));
    double width = fittingEdge(inner.width(), m_columns, pixelRatio);
    double height = fittingEdge(inner.height(), m_rows, pixelRatio);
    if (options.square) {
        const double largest = onPixel(options.largestCell * theme.scale(), pixelRatio);
        width = height = std::min({width, height, std::max(largest, 1.0 / pixelRatio)});
    }
    m_cell = QSizeF(width, height);
    m_cells = QRectF(onPixel(inner.x(), pixelRatio), onPixel(inner.y(), pixelRatio),
                     width * m_columns, height * m_rows);
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
    constexpr double kRounding = 1e-6; // so that a cell's own left edge belongs to it
    const double column = (position.x() - m_cells.x()) / m_cell.width() + kRounding;
    const double row = (position.y() - m_cells.y()) / m_cell.height() + kRounding;
    if (!(column >= 0.0 && column < m_columns && row >= 0.0 && row < m_rows))
        return std::nullopt;
    return HeatmapCell{static_cast<int>(row), static_cast<int>(column)};
}

QSize HeatmapLayout::imageSize() const
{
    const auto pixels = [this](int count, double length) {
        const auto available = static_cast<int>(std::lround(length * m_pixelRatio));
        return std::clamp(available, std::min(count, 1), count);
    };
    return {pixels(m_columns, m_cells.width()), pixels(m_rows, m_cells.height())};
}

QImage heatmapImage(const HeatmapContent& content, const Theme& theme, QSize size)
{
    if (content.matrix.isEmpty() || size.isEmpty())
        return {};
    const ColourLookup lookup(content.scale, theme);
    QImage image(size, QImage::Format_RGB32);
    const bool pooled = size != QSize(content.matrix.columns, content.matrix.rows);
    const std::vector<float> bins = pooled ? pooledValues(content, size) : std::vector<float>();
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        if (pooled) {
            const float* values = bins.data() + static_cast<std::size_t>(y) * size.width();
            std::transform(values, values + size.width(), line,
                           [&](float value) { return lookup.colour(value); });
        } else {
            visitRow(content, y, [&](int x, float value) { line[x] = lookup.colour(value); });
        }
    }
    return image;
}

QString describeCell(const HeatmapContent& content, HeatmapCell cell)
{
    QString text = QStringLiteral("query %1, %2; key %3, %4; ")
                       .arg(content.rowLabel(cell.row))
                       .arg(cell.row)
                       .arg(content.columnLabel(cell.column))
                       .arg(cell.column);
    if (content.isHidden(cell))
        return text + QStringLiteral("hidden by the mask");
    const double value = content.matrix.at(cell);
    text += content.valueName + QLatin1Char(' ') +
            (content.scale.isSigned() ? signedNumber(value, 3) : readoutNumber(value));
    if (isLargestInRow(content, cell))
        text += QStringLiteral("; largest in its row");
    return text;
}

} // namespace headscope::ui
