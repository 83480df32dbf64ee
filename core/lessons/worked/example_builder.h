#pragma once

#include "core/lessons/worked/exact_evaluation.h"
#include "core/lessons/worked/example_inputs.h"

namespace headscope {

/// How a matrix is shown.
struct MatrixLook
{
    std::string name;
    std::string title = {};
    std::string formula = {};
    CellRole role = CellRole::Plain;
};

/// What one step is to do; the value follows from it.
struct StepPlan
{
    Operation operation = Operation::Copy;
    std::vector<Operand> operands;
    CellAddress result;
    std::string formula = {};
    std::string reason = {};
};

/// Inputs of one name.
ExampleInputs::Matrix inputMatrix(std::string name, std::vector<std::string> rows,
                                  std::vector<std::string> columns, std::vector<double> values);
ExampleInputs::Matrix inputNumber(std::string name, std::string label, double value); ///< 1 x 1

Operand cell(int matrix, int row, int column);
Operand constant(std::string symbol, double value, std::optional<ExactNumber> exact = {});

/// A label inside a formula: digits as they are, anything else as \text{}.
std::string latexLabel(const std::string& label);
std::vector<std::string> numbered(std::string_view what, int count); ///< "dim 0", "dim 1"

/// The square root of a whole number as a constant, exactly.
Operand rootConstant(std::string symbol, int number);

/// Records a calculation one step at a time, and computes it on the way.
class ExampleBuilder
{
public:
    ExampleBuilder(std::string name, std::string title);

    /// Throws Error for no rows or columns, too many, missing or unusable numbers.
    int input(const ExampleInputs::Matrix& matrix, MatrixLook look);
    int matrix(MatrixLook look, std::vector<std::string> rowLabels,
               std::vector<std::string> columnLabels);

    void stage(std::string title, std::string formula, std::vector<int> large,
               std::vector<std::string> signs);

    /// Throws Error for an operand that is not known yet and a cell that is filled already.
    void step(StepPlan plan);
    void hide(CellAddress result, std::string formula, std::string reason);

    /// result = sum of left[i] * right[i].
    void dot(const std::vector<Operand>& left, const std::vector<Operand>& right,
             CellAddress result, std::string formula);

    const WorkedMatrix& at(int matrix) const;
    double value(CellAddress cell) const;
    std::vector<Operand> row(int matrix, int row) const;
    std::vector<Operand> column(int matrix, int column) const;

    WorkedExample finish(); ///< throws Error when a cell was left empty

private:
    WorkedMatrix& at(CellAddress cell);
    ExactOperand readOperand(Operand& operand) const;
    void fill(WorkedStep step);

    WorkedExample m_example;
};

} // namespace headscope
