#include "ui/widgets/heatmap/heatmap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headscope::ui {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Passes every cell's value of one row, kHidden where masked.
template<class Visit>
void visitRow(const HeatmapContent& content, const HeatmapMatrix& matrix, int row, Visit visit)
{
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

const HeatmapMatrix& shadesOf(const HeatmapContent& content)
{
    return content.shades.isEmpty() ? content.matrix : content.shades;
}

/// First cell of every bin, and one past the last: bins differ by at most one cell.
std::vector<int> binEdges(int count, int bins)
{
    std::vector<int> edges(static_cast<std::size_t>(bins) + 1);
    for (int bin = 0; bin <= bins; ++bin) // smallest cell with cell * bins / count == bin
        edges[static_cast<std::size_t>(bin)] =
            static_cast<int>((static_cast<std::int64_t>(bin) * count + bins - 1) / bins);
    return edges;
}

constexpr auto kHiddenBits = std::bit_cast<std::int32_t>(kHidden);

/// Rank within a bin: masked cells last, NaN first, else by magnitude. Magnitudes of floats sort
/// like their bits, which keeps the loops below branch-free.
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
    const HeatmapMatrix& matrix = shadesOf(content);
    std::vector<float> bins(static_cast<std::size_t>(size.width()) * size.height());
    const std::vector<int> columns = binEdges(matrix.columns, size.width());
    const std::vector<int> rows = binEdges(matrix.rows, size.height());
    std::vector<std::int32_t> line(static_cast<std::size_t>(matrix.columns));
    for (int binRow = 0; binRow < size.height(); ++binRow) {
        std::fill(line.begin(), line.end(), kHiddenBits);
        for (int row = rows[static_cast<std::size_t>(binRow)];
             row < rows[static_cast<std::size_t>(binRow) + 1]; ++row)
            visitRow(content, matrix, row, [bin = line.data()](int column, float value) {
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
    visitRow(content, content.matrix, cell.row,
             [&](int, float other) { largest = largest && !(other > value); });
    return largest;
}

} // namespace

float HeatmapContent::shadeAt(HeatmapCell cell) const
{
    return shadesOf(*this).at(cell);
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
            visitRow(content, shadesOf(content), y,
                     [&](int x, float value) { line[x] = lookup.colour(value); });
        }
    }
    return image;
}

QString describeCell(const HeatmapContent& content, HeatmapCell cell)
{
    QString text = QStringLiteral("%1 %2, %3; %4 %5, %6; ")
                       .arg(content.rowsName, content.rowLabel(cell.row))
                       .arg(cell.row)
                       .arg(content.columnsName, content.columnLabel(cell.column))
                       .arg(cell.column);
    if (std::binary_search(content.emptyRows.begin(), content.emptyRows.end(), cell.row))
        return text +
               QCoreApplication::translate("Heatmap", "hidden: too little of this row remains");
    if (content.isHidden(cell))
        return text + QCoreApplication::translate("Heatmap", "hidden by the mask");
    const double value = content.matrix.at(cell);
    text += content.valueName + QLatin1Char(' ') +
            (content.scale.isSigned() ? signedNumber(value, 3) : readoutNumber(value));
    if (isLargestInRow(content, cell))
        text += QCoreApplication::translate("Heatmap", "; largest in its row");
    return text;
}

} // namespace headscope::ui
