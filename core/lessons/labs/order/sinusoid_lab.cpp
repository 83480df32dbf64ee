#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/matmul.h"
#include "core/ops/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace headscope {

namespace {

constexpr std::int64_t kWaves = 4;        ///< Maximum number of waves shown.
constexpr std::int64_t kNamedEntries = 4; ///< Rows and columns with a lab number each.
constexpr std::int64_t kReadable = 10;    ///< Maximum side with numbers in the cells.

int decimalsFor(const Tensor& table)
{
    return std::max(table.shape()[0], table.shape()[1]) <= kReadable ? 2 : -1;
}

double wavelength(std::int64_t column, std::int64_t width, double base)
{
    return 2.0 * std::numbers::pi / sinusoidalAngle(1.0, column, width, base);
}

LabPanel waves(const Tensor& table, double base)
{
    const std::int64_t count = table.shape()[0];
    const std::int64_t width = table.shape()[1];
    const std::int64_t sines = (width + 1) / 2;
    const std::int64_t shown = std::min(kWaves, sines);
    LabChart chart{"position", "value"};
    for (std::int64_t wave = 0; wave < shown; ++wave) {
        const std::int64_t column = 2 * (shown == 1 ? 0 : wave * (sines - 1) / (shown - 1));
        LabChart::Series series{fmt::format("column {}", column), countedPlaces(count)};
        for (std::int64_t row = 0; row < count; ++row)
            series.y.push_back(static_cast<double>(table.view()(row, column)));
        chart.series.push_back(std::move(series));
    }
    return {"Every column is a wave",
            fmt::format("Column 0 repeats every {:.2f} positions", wavelength(0, width, base)),
            std::move(chart)};
}

LabPanel heatmap(const Tensor& table)
{
    LabMatrix matrix = matrixOf("position", "column", table.view(), true);
    matrix.low = -1.0;
    matrix.high = 1.0;
    matrix.decimals = decimalsFor(table);
    return {"Position matrix", "Row p is added to the embedding at position p", std::move(matrix)};
}

/// Largest spread of the dot products of pairs at the same distance, over all distances.
double diagonalSpread(TensorView products)
{
    double largest = 0.0;
    for (std::int64_t distance = 0; distance < products.shape[0]; ++distance) {
        double low = static_cast<double>(products(0, distance));
        double high = low;
        for (std::int64_t row = 0; row + distance < products.shape[0]; ++row) {
            low = std::min(low, static_cast<double>(products(row, row + distance)));
            high = std::max(high, static_cast<double>(products(row, row + distance)));
        }
        largest = std::max(largest, high - low);
    }
    return largest;
}

LabPanel productPanel(const Tensor& products)
{
    LabMatrix matrix = matrixOf("position", "position", products.view(), true);
    matrix.decimals = decimalsFor(products);
    return {"Similarity of positions", "PE \u00B7 PE\u1D40: nearby positions are similar",
            std::move(matrix)};
}

void nameEntries(TensorView table, LabResult& result)
{
    for (std::int64_t row = 0; row < std::min(kNamedEntries, table.shape[0]); ++row)
        for (std::int64_t column = 0; column < std::min(kNamedEntries, table.shape[1]); ++column)
            result.numbers.push_back({fmt::format("pe_{}_{}", row, column),
                                      fmt::format("PE({}, {})", row, column),
                                      static_cast<double>(table(row, column))});
}

Tensor product(TensorView matrix, TensorView column)
{
    const std::int64_t d = matrix.shape[0];
    Tensor result(Shape{1, d});
    matmul(Transpose::No, Transpose::No, d, 1, d, 1.0F, matrix.data, matrix.stride(0), column.data,
           1, 0.0F, result.data(), 1);
    return result;
}

/// Rows PE(p), A(k) PE(p) and PE(p + k); the last two must be equal.
LabPanel rotatedRows(TensorView before, TensorView turned, TensorView after, std::int64_t k)
{
    Tensor rows(Shape{3, before.shape[0]});
    for (std::int64_t i = 0; i < before.shape[0]; ++i) {
        rows.view()(0, i) = before(i);
        rows.view()(1, i) = turned(i);
        rows.view()(2, i) = after(i);
    }
    LabMatrix matrix = matrixOf("vector", "column", rows.view(), true);
    matrix.low = -1.0;
    matrix.high = 1.0;
    matrix.rowLabels = {"PE(p)", fmt::format("A({}) PE(p)", k), fmt::format("PE(p + {})", k)};
    return {"Rotated and looked up", "The last two rows are equal", std::move(matrix)};
}

LabPanel turns(std::int64_t k, std::int64_t width)
{
    LabBars bars{"\u00B0"};
    for (std::int64_t column = 0; column < width; column += 2) {
        const double degrees = sinusoidalAngle(static_cast<double>(k), column, width, 10000.0) *
                               180.0 / std::numbers::pi;
        bars.bars.push_back({message(fmt::format("columns {}, {}", column, column + 1)), degrees,
                             fmt::format("{:.2f}\u00B0", degrees), column == 0});
    }
    return {"Rotation of each pair", "Fast in the first columns, slow in the last",
            std::move(bars)};
}

} // namespace

LabResult runSinusoid(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::int64_t width = settings.integer("d");
    const std::int64_t count = settings.integer("positions");
    const double base = settings.number("base");
    const Tensor table = sinusoidalPositions(count, width, base);
    const Tensor products = dotProducts(table.view());
    const double last = wavelength(width - 1, width, base);

    LabResult result;
    result.panels = {waves(table, base), heatmap(table), productPanel(products)};
    nameEntries(table.view(), result);
    result.numbers.push_back(
        {"wave_first", "Shortest wave", wavelength(0, width, base), "positions"});
    result.numbers.push_back({"wave_last", "Longest wave", last, "positions"});
    result.numbers.push_back(
        {"wave_limit", "N \u00B7 2\u03C0", 2.0 * std::numbers::pi * base, "positions"});
    for (std::int64_t distance = 0; distance < kNamedEntries; ++distance)
        result.numbers.push_back({fmt::format("dot_{}", distance),
                                  fmt::format("Dot product at distance {}", distance),
                                  static_cast<double>(products.view()(0, distance))});
    result.numbers.push_back(
        {"diagonal_spread", "Spread along a diagonal", diagonalSpread(products.view())});
    result.sentence = fmt::format(
        "Wavelengths range from {:.2f} to {:.4g} positions. The dot product of a row with itself "
        "is {:.2f}, with the next row {:.2f}.",
        wavelength(0, width, base), last, result.number("dot_0").value,
        result.number("dot_1").value);
    putFirst(result, "wave_last");
    return result;
}

LabResult runRotation(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::int64_t position = settings.integer("p");
    const std::int64_t k = settings.integer("k");
    const std::int64_t width = settings.integer("d");
    if (width % 2 != 0)
        throw Error(fmt::format("a width of {} has no pairs", width), "Width d",
                    "Choose an even width");
    const Tensor table = sinusoidalPositions(position + k + 1, width);
    const Tensor matrix = rotationOf(static_cast<double>(k), width);
    const TensorView before = table.view()[position];
    const TensorView after = table.view()[position + k];
    const Tensor turned = product(matrix.view(), before);
    const double residual = largestDifference(turned.view()[0], after);

    LabMatrix cells = matrixOf("row", "column", matrix.view(), true);
    cells.low = -1.0;
    cells.high = 1.0;
    LabResult result;
    result.panels = {
        {fmt::format("A({})", k), "Rotations of two by two along the diagonal", std::move(cells)},
        rotatedRows(before, turned.view()[0], after, k),
        turns(k, width)};
    result.numbers = {
        {"residual", "Largest difference", residual},
        {"angle_0", "Rotation of the first pair",
         sinusoidalAngle(static_cast<double>(k), 0, width, 10000.0), "rad"},
        {"angle_last", "Rotation of the last pair",
         sinusoidalAngle(static_cast<double>(k), width - 2, width, 10000.0), "rad"},
        {"norm_before", "Length of PE(p)", rowNorm(before)},
        {"norm_after", "Length of PE(p + k)", rowNorm(after)},
    };
    result.sentence = fmt::format(
        "A({}) rotates PE({}) into PE({}): they differ by {:.1e} at most. The same holds at any "
        "other position.",
        k, position, position + k, residual);
    return result;
}

} // namespace headscope
