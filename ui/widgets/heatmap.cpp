#include "ui/widgets/heatmap.h"

#include "core/base/error.h"

#include <algorithm>
#include <bit>
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
    for (int column = 0; column < first; ++column)
        visit(column, kHidden);
    if (allowed == nullptr) {
        for (int column = first; column < last; ++column)
            visit(column, values[column]);
    } else {
        for (int column = first; column < last; ++column)
            visit(column, allowed[column] == 0 ? kHidden : values[column]);
    }
    for (int column = last; column < matrix.columns; ++column)
        visit(column, kHidden);
}

/// First cell of every bin, and one past the last: bins differ by at most one cell.
std::vector<int> binEdges(int count, int bins)
{
    std::vector<int> edges(static_cast<std::size_t>(bins) + 1);
    for (int bin = 0; bin <= bins; ++bin) // the smallest cell with cell * bins / count == bin
        edges[static_cast<std::size_t>(bin)] =
            static_cast<int>((static_cast<std::int64_t>(bin) * count + bins - 1) / bins);
    return edges;
}

constexpr auto kHiddenBits = std::bit_cast<std::int32_t>(kHidden);

/// Rank among the values of a bin: hidden cells last, NaN first, else by magnitude. Magnitudes of
/// floats order like their bits, which keeps the loops below free of branches.
std::int32_t rankOf(std::int32_t bits)
{
    return bits == kHiddenBits ? -1 : bits & 0x7FFFFFFF;
}

void keepLarger(std::int32_t& bin, std::int32_t bits)
{
    bin = rankOf(bits) > rankOf(bin) ? bits : bin;
}

std::vector<float> pooledValues(const HeatmapContent& content, QSize size)
{
    const HeatmapMatrix& matrix = content.matrix;
    std::vector<float> bins(static_cast<std::size_t>(size.width()) * size.height());
    const std::vector<int> columns = binEdges(matrix.columns, size.width());
    const std::vector<int> rows = binEdges(matrix.rows, size.height());
    std::vector<std::int32_t> line(static_cast<std::size_t>(matrix.columns));
    for (int binRow = 0; binRow < size.height(); ++binRow) {
        std::fill(line.begin(), line.end(), kHiddenBits);
        for (int row = rows[static_cast<std::size_t>(binRow)];
             row < rows[static_cast<std::size_t>(binRow) + 1]; ++row)
            visitRow(content, row, [bin = line.data()](int column, float value) {
                keepLarger(bin[column], std::bit_cast<std::int32_t>(value));
            });
        float* target = bins.data() + static_cast<std::size_t>(binRow) * size.width();
        for (int bin = 0; bin < size.width(); ++bin) {
            const auto edge = static_cast<std::size_t>(bin);
            std::int32_t largest = kHiddenBits;
            for (int column = columns[edge]; column < columns[edge + 1]; ++column)
                keepLarger(largest, line[static_cast<std::size_t>(column)]);
            target[bin] = std::bit_cast<float>(largest);
        }
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
