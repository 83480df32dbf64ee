#include "core/lessons/worked/example_builder.h"

#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/worked/example_inputs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kMostLabels = 40; ///< Maximum number of rows and of columns.
constexpr double kLargest = 1e6;
constexpr std::size_t kUnfilled = std::numeric_limits<std::size_t>::max();

void checkInput(const ExampleInputs::Matrix& matrix)
{
    const std::string where = inQuotes(matrix.name);
    const std::size_t rows = matrix.rowLabels.size();
    const std::size_t columns = matrix.columnLabels.size();
    if (rows == 0 || columns == 0)
        throw Error("the matrix has no cells", where, "Give it at least one row and one column");
    if (rows > kMostLabels || columns > kMostLabels)
        throw Error(fmt::format("a matrix of {} x {} cells is too large", rows, columns), where,
                    fmt::format("Use at most {} rows and columns", kMostLabels));
    if (matrix.values.size() != rows * columns)
        throw Error(
            fmt::format("{} x {} cells have {} numbers", rows, columns, matrix.values.size()),
            where);
    for (const double value : matrix.values)
        if (!std::isfinite(value) || std::abs(value) > kLargest)
            throw Error(fmt::format("{} is out of range", value), where,
                        "Use numbers between -1000000 and 1000000");
}

/// Discards an exact form that differs from its decimal value by more than rounding.
std::optional<ExactNumber> agreeing(std::optional<ExactNumber> exact, double value)
{
    constexpr double kTolerance = 1e-9;
    if (exact && !(std::abs(exact->value() - value) <= kTolerance * std::max(1.0, std::abs(value))))
        exact.reset();
    return exact;
}

} // namespace

ExampleInputs::Matrix inputMatrix(std::string name, std::vector<std::string> rows,
                                  std::vector<std::string> columns, std::vector<double> values)
{
    return {std::move(name), std::move(rows), std::move(columns), std::move(values)};
}

ExampleInputs::Matrix inputNumber(std::string name, std::string label, double value)
{
    return {std::move(name), {""}, {std::move(label)}, {value}};
}

Operand cell(int matrix, int row, int column)
{
    Operand operand;
    operand.cell = CellAddress{matrix, row, column};
    return operand;
}

Operand constant(std::string symbol, double value, std::optional<ExactNumber> exact)
{
    Operand operand;
    operand.symbol = std::move(symbol);
    operand.value = value;
    operand.exact = std::move(exact);
    return operand;
}

Operand constant(std::string symbol, int value)
{
    return constant(std::move(symbol), value, ExactNumber(value));
}

Operand rootConstant(std::string symbol, int number)
{
    return constant(std::move(symbol), std::sqrt(static_cast<double>(number)),
                    squareRoot(ExactNumber(number)));
}

std::string latexLabel(const std::string& label)
{
    if (!label.empty() && std::ranges::all_of(label, [](char c) { return c >= '0' && c <= '9'; }))
        return label;
    std::string text;
    for (const char c : label) {
        if (std::string_view("{}_$%#&\\").find(c) != std::string_view::npos)
            text += '\\';
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return "\\text{" + text + "}";
}

std::vector<std::string> numbered(std::string_view what, int count)
{
    std::vector<std::string> labels;
    for (int i = 0; i < count; ++i)
        labels.push_back(message(fmt::format("{} {}", what, i)));
    return labels;
}

ExampleBuilder::ExampleBuilder(std::string name, std::string title)
{
    m_example.name = std::move(name);
    m_example.title = std::move(title);
}

int ExampleBuilder::input(const ExampleInputs::Matrix& matrix, MatrixStyle look)
{
    checkInput(matrix);
    look.name = matrix.name;
    const int index = this->matrix(std::move(look), matrix.rowLabels, matrix.columnLabels);
    WorkedMatrix& added = m_example.matrices.back();
    added.isInput = true;
    added.values = matrix.values;
    std::ranges::transform(added.values, added.exact.begin(), ExactNumber::fromDecimal);
    std::ranges::fill(added.filledAfter, 0);
    return index;
}

int ExampleBuilder::matrix(MatrixStyle look, std::vector<std::string> rowLabels,
                           std::vector<std::string> columnLabels)
{
    const std::size_t cells = rowLabels.size() * columnLabels.size();
    WorkedMatrix added;
    added.name = std::move(look.name);
    added.title = std::move(look.title);
    added.formula = std::move(look.formula);
    added.role = look.role;
    added.rowLabels = std::move(rowLabels);
    added.columnLabels = std::move(columnLabels);
    added.values.assign(cells, 0.0);
    added.exact.assign(cells, std::nullopt);
    added.filledAfter.assign(cells, kUnfilled);
    m_example.matrices.push_back(std::move(added));
    return static_cast<int>(m_example.matrices.size()) - 1;
}

void ExampleBuilder::stage(std::string title, std::string formula, std::vector<int> large,
                           std::vector<std::string> signs)
{
    WorkedStage stage;
    stage.title = std::move(title);
    stage.formula = std::move(formula);
    stage.large = std::move(large);
    stage.signs = std::move(signs);
    stage.firstStep = m_example.steps.size();
    m_example.stages.push_back(std::move(stage));
}

ExactOperand ExampleBuilder::readOperand(Operand& operand) const
{
    if (!operand.cell)
        return {operand.value, operand.exact};
    const WorkedMatrix& matrix = at(operand.cell->matrix);
    const std::size_t place = matrix.at(operand.cell->row, operand.cell->column);
    if (matrix.filledAfter.at(place) == kUnfilled)
        throw Error("a step uses a number that is not computed yet", inQuotes(matrix.name));
    operand.value = matrix.values[place];
    return {operand.value, matrix.exact[place]};
}

void ExampleBuilder::step(Operation operation, std::vector<Operand> operands, CellAddress result,
                          std::string formula, std::string reason)
{
    std::vector<double> numbers;
    std::vector<ExactOperand> exact;
    for (Operand& operand : operands) {
        exact.push_back(readOperand(operand));
        numbers.push_back(operand.value);
    }
    WorkedStep step;
    step.stage = static_cast<int>(m_example.stages.size()) - 1;
    step.operation = operation;
    step.result = result;
    step.value = evaluate(operation, numbers);
    step.exact = agreeing(evaluateExactly(operation, exact), step.value);
    step.operands = std::move(operands);
    step.formula = std::move(formula);
    step.reason = std::move(reason);
    fill(std::move(step));
}

void ExampleBuilder::fill(WorkedStep step)
{
    WorkedMatrix& matrix = at(step.result);
    const std::size_t place = matrix.at(step.result.row, step.result.column);
    if (matrix.filledAfter.at(place) != kUnfilled)
        throw Error("a step fills a cell twice", inQuotes(matrix.name));
    if (std::isnan(step.value))
        throw Error("these numbers have no finite result", inQuotes(matrix.name),
                    "Choose less extreme numbers");
    matrix.values[place] = step.value;
    matrix.exact[place] = step.exact;
    ++m_example.stages.at(static_cast<std::size_t>(step.stage)).steps;
    m_example.steps.push_back(std::move(step));
    matrix.filledAfter[place] = m_example.steps.size();
}

void ExampleBuilder::hide(CellAddress result, std::string formula, std::string reason)
{
    WorkedMatrix& matrix = at(result);
    if (matrix.masked.empty())
        matrix.masked.assign(matrix.values.size(), false);
    matrix.masked[matrix.at(result.row, result.column)] = true;
    step(Operation::Hide, {}, result, std::move(formula), std::move(reason));
}

void ExampleBuilder::dot(const std::vector<Operand>& left, const std::vector<Operand>& right,
                         CellAddress result, std::string formula)
{
    if (left.size() != right.size())
        throw ShapeError(
            fmt::format("{} numbers cannot be paired with {}", left.size(), right.size()));
    std::vector<Operand> pairs;
    for (std::size_t i = 0; i < left.size(); ++i) {
        pairs.push_back(left[i]);
        pairs.push_back(right[i]);
    }
    step(Operation::Dot, std::move(pairs), result, std::move(formula));
}

const WorkedMatrix& ExampleBuilder::at(int matrix) const
{
    return m_example.matrices.at(static_cast<std::size_t>(matrix));
}

WorkedMatrix& ExampleBuilder::at(CellAddress cell)
{
    return m_example.matrices.at(static_cast<std::size_t>(cell.matrix));
}

double ExampleBuilder::value(CellAddress cell) const
{
    const WorkedMatrix& matrix = at(cell.matrix);
    return matrix.values.at(matrix.at(cell.row, cell.column));
}

std::vector<Operand> ExampleBuilder::row(int matrix, int row) const
{
    std::vector<Operand> cells;
    for (int column = 0; column < at(matrix).columns(); ++column)
        cells.push_back(cell(matrix, row, column));
    return cells;
}

std::vector<Operand> ExampleBuilder::column(int matrix, int column) const
{
    std::vector<Operand> cells;
    for (int row = 0; row < at(matrix).rows(); ++row)
        cells.push_back(cell(matrix, row, column));
    return cells;
}

WorkedExample ExampleBuilder::finish()
{
    for (const WorkedMatrix& matrix : m_example.matrices)
        if (std::ranges::count(matrix.filledAfter, kUnfilled) > 0)
            throw Error("the steps leave a cell empty", inQuotes(matrix.name));
    return std::move(m_example);
}

} // namespace headscope
