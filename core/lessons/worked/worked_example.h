#pragma once

#include "core/lessons/worked/exact_number.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Role of a matrix; determines its colour.
enum class CellRole { Plain, Query, Key, Value, Weight, Result };

/// Cell of a worked example: index into WorkedExample::matrices, row, column.
struct CellAddress
{
    int matrix = 0;
    int row = 0;
    int column = 0;

    friend auto operator<=>(const CellAddress&, const CellAddress&) = default;
};

/// Matrix whose cells are filled one step at a time. Inputs are complete from the start and can be
/// edited.
struct WorkedMatrix
{
    std::string name;    ///< Id in references and JSON: "scores".
    std::string title;   ///< Visible title: "Scores".
    std::string formula; ///< LaTeX definition: "Q K^\top"; may be empty.
    CellRole role = CellRole::Plain;
    bool isInput = false;
    std::vector<std::string> rowLabels;
    std::vector<std::string> columnLabels;
    std::vector<double> values;                    ///< [rows, columns], after all steps.
    std::vector<std::optional<ExactNumber>> exact; ///< Parallel to values.
    std::vector<bool> masked;             ///< Parallel to values: hidden by a mask; or empty.
    std::vector<std::size_t> filledAfter; ///< Parallel to values: steps until known; inputs: 0.

    int rows() const { return static_cast<int>(rowLabels.size()); }

    int columns() const { return static_cast<int>(columnLabels.size()); }

    std::size_t at(int row, int column) const
    {
        return static_cast<std::size_t>(row) * columnLabels.size() +
               static_cast<std::size_t>(column);
    }
};

/// Arithmetic operation of a step.
enum class Operation {
    Dot,         ///< Computes a0 b0 + a1 b1 + ...; operands in pairs a0, b0, a1, b1.
    Sum,         ///< Sum of all operands.
    Mean,        ///< Mean of all operands.
    Subtract,    ///< Computes first - second.
    Multiply,    ///< Product of all operands.
    Divide,      ///< Computes first / second.
    Maximum,     ///< Largest operand.
    Exponential, ///< Computes e^first.
    Logarithm,   ///< Natural logarithm.
    SquareRoot,
    Square,
    Power, ///< Computes first^second.
    Sine,
    Cosine,
    Hide, ///< Masked: no operand, the resulting score is -infinity.
    Copy, ///< Copy of the first operand (split into heads, concatenate).
};

/// Operand of a step: a cell, or a named constant ("\sqrt{d_k}", "\epsilon").
struct Operand
{
    std::optional<CellAddress> cell;
    std::string symbol; ///< LaTeX of a constant; empty for cells.
    double value = 0.0;
    std::optional<ExactNumber>
        exact; ///< Exact form of a constant; that of a cell is in its matrix.
};

/// Result of `operation`. Throws Error for a wrong number of operands.
double evaluate(Operation operation, const std::vector<double>& operands);
std::string_view nameOf(Operation operation); ///< Name in JSON: "dot".

/// One arithmetic operation, which fills one cell.
struct WorkedStep
{
    int stage = 0;
    Operation operation = Operation::Copy;
    std::vector<Operand> operands;
    CellAddress result;
    double value = 0.0; ///< Result of evaluate(operation, values of the operands).
    std::optional<ExactNumber> exact;
    std::string formula; ///< LaTeX with names: "s_{\text{sat},0} = \sum_i q_i k_i".
    std::string reason;  ///< Reason if not arithmetic ("hidden by the causal mask"); or empty.
};

/// Group of steps: "Scores", "Scale", "Softmax", "Weighted sum".
struct WorkedStage
{
    std::string title;
    std::string formula;            ///< LaTeX of the whole stage.
    std::vector<int> large;         ///< Matrices drawn large: operands, then results.
    std::vector<std::string> signs; ///< Signs between them: "×", "="; one fewer than large.
    std::size_t firstStep = 0;
    std::size_t steps = 0;
};

/// Calculation to step through. Immutable; the user's position is one number (steps done).
struct WorkedExample
{
    std::string name;  ///< Id: "attention".
    std::string title; ///< Visible title: "Attention, three tokens".
    std::vector<WorkedMatrix> matrices;
    std::vector<WorkedStage> stages; ///< Stages in order, covering all steps.
    std::vector<WorkedStep> steps;   ///< Operands are inputs or results of earlier steps.

    const WorkedMatrix* find(std::string_view matrix) const; ///< Matrix by name, or null.

    /// Value of the cell "scores[2,0]". Throws Error that names the available cells.
    double number(std::string_view reference) const;
    CellAddress address(std::string_view reference) const;

    /// Whether the cell is known after that many steps. Throws Error for an unknown cell.
    bool isFilled(CellAddress cell, std::size_t stepsDone) const;
};

} // namespace headscope
