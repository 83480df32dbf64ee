#include "core/lessons/worked/worked_example.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>

namespace headscope {

namespace {

constexpr std::array<std::string_view, 16> kOperationNames = {
    "dot",     "sum",         "mean",      "subtract",    "multiply", "divide",
    "maximum", "exponential", "logarithm", "square root", "square",   "power",
    "sine",    "cosine",      "hide",      "copy"};

/// Number of operands; -1: at least one, -2: pairs.
int operandsOf(Operation operation)
{
    switch (operation) {
    case Operation::Dot:
        return -2;
    case Operation::Sum:
    case Operation::Mean:
    case Operation::Multiply:
    case Operation::Maximum:
        return -1;
    case Operation::Subtract:
    case Operation::Divide:
    case Operation::Power:
        return 2;
    case Operation::Hide:
        return 0;
    default:
        return 1;
    }
}

void checkCount(Operation operation, std::size_t count)
{
    const int wanted = operandsOf(operation);
    const bool fits = wanted == -2   ? count > 0 && count % 2 == 0
                      : wanted == -1 ? count > 0
                                     : count == static_cast<std::size_t>(wanted);
    if (!fits)
        throw Error(fmt::format("{} does not accept {} operands", nameOf(operation), count));
}

double dot(const std::vector<double>& pairs)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < pairs.size(); i += 2)
        sum += pairs[i] * pairs[i + 1];
    return sum;
}

double sum(const std::vector<double>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

std::string cellName(const WorkedMatrix& matrix, int row, int column)
{
    return fmt::format("{}[{},{}]", matrix.name, row, column);
}

/// Parses "scores[2,0]" into name, row and column; nothing if it has another form.
struct Reference
{
    std::string_view name;
    int row = 0;
    int column = 0;
};

std::optional<Reference> parsed(std::string_view text)
{
    const auto open = text.find('[');
    if (open == std::string_view::npos || text.back() != ']')
        return std::nullopt;
    Reference reference{text.substr(0, open)};
    const char* end = text.data() + text.size() - 1;
    const auto row = std::from_chars(text.data() + open + 1, end, reference.row);
    if (row.ec != std::errc() || row.ptr == end || *row.ptr != ',')
        return std::nullopt;
    const auto column = std::from_chars(row.ptr + 1, end, reference.column);
    if (column.ec != std::errc() || column.ptr != end)
        return std::nullopt;
    return reference;
}

} // namespace

double evaluate(Operation operation, const std::vector<double>& operands)
{
    checkCount(operation, operands.size());
    switch (operation) {
    case Operation::Dot:
        return dot(operands);
    case Operation::Sum:
        return sum(operands);
    case Operation::Mean:
        return sum(operands) / static_cast<double>(operands.size());
    case Operation::Subtract:
        return operands[0] - operands[1];
    case Operation::Multiply:
        return std::accumulate(operands.begin(), operands.end(), 1.0, std::multiplies<>());
    case Operation::Divide:
        return operands[0] / operands[1];
    case Operation::Maximum:
        return *std::ranges::max_element(operands);
    case Operation::Exponential:
        return std::exp(operands[0]);
    case Operation::Logarithm:
        return std::log(operands[0]);
    case Operation::SquareRoot:
        return std::sqrt(operands[0]);
    case Operation::Square:
        return operands[0] * operands[0];
    case Operation::Power:
        return std::pow(operands[0], operands[1]);
    case Operation::Sine:
        return std::sin(operands[0]);
    case Operation::Cosine:
        return std::cos(operands[0]);
    case Operation::Hide:
        return -std::numeric_limits<double>::infinity();
    case Operation::Copy:
        return operands[0];
    }
    throw Error("there is no such operation");
}

std::string_view nameOf(Operation operation)
{
    return kOperationNames.at(static_cast<std::size_t>(operation));
}

const WorkedMatrix* WorkedExample::find(std::string_view matrix) const
{
    const auto found = std::ranges::find(matrices, matrix, &WorkedMatrix::name);
    return found == matrices.end() ? nullptr : &*found;
}

CellAddress WorkedExample::address(std::string_view reference) const
{
    const auto place = parsed(reference);
    if (!place)
        throw Error(inQuotes(reference) + " is not a cell", inQuotes(name),
                    "Write a matrix, its row and its column: \"scores[2,0]\"");
    const WorkedMatrix* matrix = find(place->name);
    if (!matrix)
        throw Error("there is no matrix " + inQuotes(place->name), inQuotes(name),
                    nearestNameAdvice(place->name, matrices, &WorkedMatrix::name));
    if (place->row < 0 || place->row >= matrix->rows() || place->column < 0 ||
        place->column >= matrix->columns())
        throw Error("there is no cell " + inQuotes(reference), inQuotes(name),
                    fmt::format("The last one is {}",
                                cellName(*matrix, matrix->rows() - 1, matrix->columns() - 1)));
    return {static_cast<int>(matrix - matrices.data()), place->row, place->column};
}

double WorkedExample::number(std::string_view reference) const
{
    const CellAddress cell = address(reference);
    const WorkedMatrix& matrix = matrices[static_cast<std::size_t>(cell.matrix)];
    return matrix.values[matrix.at(cell.row, cell.column)];
}

bool WorkedExample::isFilled(CellAddress cell, std::size_t stepsDone) const
{
    if (cell.matrix < 0 || cell.matrix >= static_cast<int>(matrices.size()))
        throw Error(fmt::format("there is no matrix {}", cell.matrix), inQuotes(name));
    const WorkedMatrix& matrix = matrices[static_cast<std::size_t>(cell.matrix)];
    if (cell.row < 0 || cell.row >= matrix.rows() || cell.column < 0 ||
        cell.column >= matrix.columns())
        throw Error("there is no cell " + cellName(matrix, cell.row, cell.column), inQuotes(name));
    return matrix.filledAfter[matrix.at(cell.row, cell.column)] <= stepsDone;
}

} // namespace headscope
