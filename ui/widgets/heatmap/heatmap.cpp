#include "ui/widgets/heatmap/heatmap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headscope::ui {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Cells from which an overview pays.
constexpr std::int64_t kCellsWithOverview = std::int64_t{2048} * 2048;

/// Half-open range of columns or rows.
struct Range
{
    int begin = 0;
    int end = 0;
};

/// Passes the value of every cell of one row within `columns`, kHidden where masked.
template<class Visit>
void visitRow(const HeatmapContent& content, const HeatmapMatrix& matrix, int row, Range columns,
              Visit visit)
{
    const float* values = matrix.values.get() + static_cast<std::size_t>(row) * matrix.columns;
    const std::uint8_t* allowed = nullptr;
    if (content.mask.kind == HeatmapMask::Kind::Cells && content.mask.allowed)
        allowed = content.mask.allowed->data() + static_cast<std::size_t>(row) * matrix.columns;
    const auto [visible, afterVisible] = content.mask.visibleColumns(row, matrix);
    const int first = std::clamp(visible, columns.begin, columns.end);
    const int last = std::clamp(afterVisible, first, columns.end);
    for (int column = columns.begin; column < first; ++column)
        visit(column, kHidden);
    if (allowed == nullptr) {
        for (int column = first; column < last; ++column)
            visit(column, values[column]);
    } else {
        for (int column = first; column < last; ++column)
            visit(column, allowed[column] == 0 ? kHidden : values[column]);
    }
    for (int column = last; column < columns.end; ++column)
        visit(column, kHidden);
}

template<class Visit>
void visitRow(const HeatmapContent& content, const HeatmapMatrix& matrix, int row, Visit visit)
{
    visitRow(content, matrix, row, {0, matrix.columns}, visit);
}

const HeatmapMatrix& shadesOf(const HeatmapContent& content)
{
    return content.shades.isEmpty() ? content.matrix : content.shades;
}

/// First cell of each bin from `bins.begin` to `bins.end` of `all`: bins differ by at most one cell.
std::vector<int> binEdges(int count, int all, Range bins)
{
    std::vector<int> edges;
    for (int bin = bins.begin; bin <= bins.end; ++bin) // smallest cell: cell * all / count == bin
        edges.push_back(static_cast<int>((static_cast<std::int64_t>(bin) * count + all - 1) / all));
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

/// Bins `part` of the `size` bins that `matrix` is divided into, row-major.
std::vector<float> pooledValues(const HeatmapContent& content, const HeatmapMatrix& matrix,
                                QSize size, QRect part)
{
    std::vector<float> bins(static_cast<std::size_t>(part.width()) * part.height());
    const std::vector<int> columns =
        binEdges(matrix.columns, size.width(), {part.x(), part.x() + part.width()});
    const std::vector<int> rows =
        binEdges(matrix.rows, size.height(), {part.y(), part.y() + part.height()});
    const Range read{columns.front(), columns.back()};
    std::vector<std::int32_t> line(static_cast<std::size_t>(read.end - read.begin));
    for (int binRow = 0; binRow < part.height(); ++binRow) {
        std::fill(line.begin(), line.end(), kHiddenBits);
        for (int row = rows[static_cast<std::size_t>(binRow)];
             row < rows[static_cast<std::size_t>(binRow) + 1]; ++row)
            visitRow(content, matrix, row, read,
                     [bin = line.data() - read.begin](int column, float value) {
                         keepLarger(bin[column], std::bit_cast<std::int32_t>(value));
                     });
        float* target = bins.data() + static_cast<std::size_t>(binRow) * part.width();
        for (int bin = 0; bin < part.width(); ++bin) {
            const auto edge = static_cast<std::size_t>(bin);
            std::int32_t largest = kHiddenBits;
            for (int column = columns[edge]; column < columns[edge + 1]; ++column)
                keepLarger(largest, line[static_cast<std::size_t>(column - read.begin)]);
            target[bin] = std::bit_cast<float>(largest);
        }
    }
    return bins;
}

/// Same from the overview where it has a block for every bin, else from the cells.
std::vector<float> pooledValues(const HeatmapContent& content, QSize size, QRect part)
{
    if (!content.overview || content.overview->blocks.columns < size.width() ||
        content.overview->blocks.rows < size.height())
        return pooledValues(content, shadesOf(content), size, part);
    return pooledValues(HeatmapContent(), content.overview->blocks, size, part);
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
    return heatmapImage(content, theme, size, QRect(QPoint(), size));
}

QImage heatmapImage(const HeatmapContent& content, const Theme& theme, QSize size, QRect part)
{
    if (content.matrix.isEmpty() || part.isEmpty())
        return {};
    const ColourLookup lookup(content.scale, theme);
    QImage image(part.size(), QImage::Format_RGB32);
    const bool pooled = size != QSize(content.matrix.columns, content.matrix.rows);
    const std::vector<float> bins =
        pooled ? pooledValues(content, size, part) : std::vector<float>();
    const Range columns{part.x(), part.x() + part.width()};
    for (int y = 0; y < part.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        if (pooled) {
            const float* values = bins.data() + static_cast<std::size_t>(y) * part.width();
            std::transform(values, values + part.width(), line,
                           [&](float value) { return lookup.colour(value); });
        } else {
            visitRow(content, shadesOf(content), part.y() + y, columns,
                     [line = line - part.x(), &lookup](int x, float value) {
                         line[x] = lookup.colour(value);
                     });
        }
    }
    return image;
}

std::shared_ptr<const HeatmapOverview> overviewOf(const HeatmapContent& content)
{
    const HeatmapMatrix& matrix = shadesOf(content);
    if (matrix.isEmpty() || std::int64_t{matrix.rows} * matrix.columns < kCellsWithOverview)
        return nullptr;
    const auto blocksOf = [](int cells) {
        return (cells + HeatmapOverview::kBlock - 1) / HeatmapOverview::kBlock;
    };
    const int rows = blocksOf(matrix.rows);
    const int columns = blocksOf(matrix.columns);
    std::vector<std::int32_t> blocks(static_cast<std::size_t>(rows) * columns, kHiddenBits);
    for (int row = 0; row < matrix.rows; ++row)
        visitRow(content, matrix, row,
                 [line = blocks.data() + static_cast<std::size_t>(row / HeatmapOverview::kBlock) *
                                             columns](int column, float value) {
                     keepLarger(line[column / HeatmapOverview::kBlock],
                                std::bit_cast<std::int32_t>(value));
                 });
    std::vector<float> values;
    values.reserve(blocks.size());
    for (const std::int32_t bits : blocks)
        values.push_back(std::bit_cast<float>(bits));
    return std::make_shared<const HeatmapOverview>(
        HeatmapOverview{HeatmapMatrix::copyOf(std::move(values), rows, columns)});
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
