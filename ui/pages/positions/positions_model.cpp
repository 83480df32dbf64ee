#include "ui/pages/positions/positions_model.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace headscope::ui {
namespace {

std::vector<int> distinctFractions(int count, std::initializer_list<double> fractions)
{
    std::vector<int> result;
    for (double fraction : fractions) {
        const int index = std::clamp(static_cast<int>(std::lround(fraction * count)), 0, count - 1);
        if (result.empty() || index > result.back())
            result.push_back(index);
    }
    return result;
}

} // namespace

double anglePerPosition(int pair, int dimensions, double base)
{
    return std::pow(base, -2.0 * pair / dimensions);
}

double sinusoid(double position, int dimension, int dimensions, double base)
{
    const double angle = position * anglePerPosition(dimension / 2, dimensions, base);
    return dimension % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

PositionTable sinusoidalTable(int positions, int dimensions, double base)
{
    if (positions < 0 || dimensions <= 0 || dimensions % 2 != 0 || !(base > 0.0))
        throw ShapeError("sinusoidalTable: " + std::to_string(positions) + " positions and " +
                         std::to_string(dimensions) + " dimensions make no matrix");
    PositionTable table{positions, dimensions, {}};
    table.values.reserve(static_cast<std::size_t>(positions) * dimensions);
    for (int position = 0; position < positions; ++position)
        for (int dimension = 0; dimension < dimensions; ++dimension)
            table.values.push_back(sinusoid(position, dimension, dimensions, base));
    return table;
}

std::vector<double> similarityTo(const PositionTable& table, int position)
{
    std::vector<double> result(static_cast<std::size_t>(table.positions), 0.0);
    if (position < 0 || position >= table.positions)
        return result;
    for (int other = 0; other < table.positions; ++other)
        for (int dimension = 0; dimension < table.dimensions; ++dimension)
            result[static_cast<std::size_t>(other)] +=
                table.at(position, dimension) * table.at(other, dimension);
    return result;
}

std::vector<double> rotated(const std::vector<double>& row, int offset, double base)
{
    const auto dimensions = static_cast<int>(row.size());
    std::vector<double> result(row.size());
    for (int pair = 0; pair < dimensions / 2; ++pair) {
        // sin(a + b) = sin a cos b + cos a sin b; cos(a + b) = cos a cos b - sin a sin b
        const double angle = offset * anglePerPosition(pair, dimensions, base);
        const auto even = static_cast<std::size_t>(2 * pair);
        result[even] = row[even] * std::cos(angle) + row[even + 1] * std::sin(angle);
        result[even + 1] = row[even + 1] * std::cos(angle) - row[even] * std::sin(angle);
    }
    return result;
}

double largestRotationError(const PositionTable& table, int offset, double base)
{
    double largest = 0.0;
    for (int position = 0; position < table.positions; ++position) {
        const auto begin =
            table.values.begin() + static_cast<std::ptrdiff_t>(position) * table.dimensions;
        const std::vector<double> turned = rotated({begin, begin + table.dimensions}, offset, base);
        for (int dimension = 0; dimension < table.dimensions; ++dimension)
            largest = std::max(
                largest, std::abs(turned[static_cast<std::size_t>(dimension)] -
                                  sinusoid(position + offset, dimension, table.dimensions, base)));
    }
    return largest;
}

double largestMagnitude(const PositionTable& table)
{
    double largest = 0.0;
    for (double value : table.values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return largest;
}

std::vector<int> waveDimensions(int dimensions)
{
    std::vector<int> result =
        distinctFractions(dimensions / 2, {0.0, 1.0 / 16, 1.0 / 8, 3.0 / 16, 5.0 / 16, 1.0 / 2});
    for (int& pair : result)
        pair *= 2;
    return result;
}

std::vector<int> clockPairs(int dimensions)
{
    return distinctFractions(dimensions / 2,
                             {0.0, 3.0 / 32, 6.0 / 32, 9.0 / 32, 12.0 / 32, 20.0 / 32});
}

} // namespace headscope::ui
