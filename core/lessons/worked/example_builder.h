#pragma once

#include "core/lessons/worked/exact_evaluation.h"
#include "core/lessons/worked/example_inputs.h"

namespace headscope {

/// Name, title, formula and role of a matrix.
struct MatrixStyle
{
    std::string name;
    std::string title = {};
    std::string formula = {};
    CellRole role = CellRole::Plain;
};

/// Input matrix `name`.
ExampleInputs::Matrix inputMatrix(std::string name, std::vector<std::string> rows,
                                  std::vector<std::string> columns, std::vector<double> values);
ExampleInputs::Matrix inputNumber(std::string name, std::string label,
                                  double value); ///< Matrix of 1 x 1.

Operand cell(int matrix, int row, int column);
Operand constant(std::string symbol, double value, std::optional<ExactNumber> exact = {});
Operand constant(std::string symbol, int value); ///< Exact.

/// Label inside a formula: digits unchanged, anything else as \text{}.
std::string latexLabel(const std::string& label);
std::vector<std::string> numbered(std::string_view what, int count); ///< "dim 0", "dim 1"

/// Exact square root of an integer, as a constant.
Operand rootConstant(std::string symbol, int number);

/// Records a calculation step by step and computes it on the way.
class ExampleBuilder
{
public:
    ExampleBuilder(std::string name, std::string title);

    /// Throws Error for no or too many rows or columns, and for missing or unusable numbers.
    int input(const ExampleInputs::Matrix& matrix, MatrixStyle look);
    int matrix(MatrixStyle look, std::vector<std::string> rowLabels,
               std::vector<std::string> columnLabels);

    void stage(std::string title, std::string formula, std::vector<int> large,
               std::vector<std::string> signs);

    /// Adds a step, whose value is computed from its operation. Throws Error for an operand without
    /// a value and for a cell that is already filled.
    void step(Operation operation, std::vector<Operand> operands, CellAddress result,
              std::string formula, std::string reason = {});
    void hide(CellAddress result, std::string formula, std::string reason);

    /// Adds a step: result = sum of left[i] * right[i].
    void dot(const std::vector<Operand>& left, const std::vector<Operand>& right,
             CellAddress result, std::string formula);

    const WorkedMatrix& at(int matrix) const;
    double value(CellAddress cell) const;
    std::vector<Operand> row(int matrix, int row) const;
    std::vector<Operand> column(int matrix, int column) const;

    WorkedExample finish(); ///< Throws Error if a cell is empty.

private:
    WorkedMatrix& at(CellAddress cell);
    ExactOperand readOperand(Operand& operand) const;
    void fill(WorkedStep step);

    WorkedExample m_example;
};

} // namespace headscope
