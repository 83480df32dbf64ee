#pragma once

#include "core/lessons/worked/exact_number.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Whose numbers they are: colours follow.
enum class CellRole { Plain, Query, Key, Value, Weight, Result };

/// A cell of a worked example: the place of a matrix in WorkedExample::matrices, row, column.
struct CellAddress
{
    int matrix = 0;
    int row = 0;
    int column = 0;

    friend auto operator<=>(const CellAddress&, const CellAddress&) = default;
};

/// A table of numbers of which the steps fill one cell after the other. Inputs are full from the
/// beginning and can be edited.
struct WorkedMatrix
{
    std::string name;    ///< "scores": for references and JSON
    std::string title;   ///< "Scores"
    std::string formula; ///< LaTeX of what it is: "Q K^\top"; may be empty
    CellRole role = CellRole::Plain;
    bool isInput = false;
    std::vector<std::string> rowLabels;
    std::vector<std::string> columnLabels;
    std::vector<double> values;                    ///< [rows, columns], when all steps are done
    std::vector<std::optional<ExactNumber>> exact; ///< as values
    std::vector<bool> masked;                      ///< as values: the mask hides it; or empty
    std::vector<std::size_t> filledAfter; ///< as values: steps done until it is known; inputs: 0

    int rows() const { return static_cast<int>(rowLabels.size()); }

    int columns() const { return static_cast<int>(columnLabels.size()); }

    std::size_t at(int row, int column) const
    {
        return static_cast<std::size_t>(row) * columnLabels.size() +
               static_cast<std::size_t>(column);
    }
};

/// The one thing that a step does with its operands.
enum class Operation {
    Dot,         ///< a0 b0 + a1 b1 + ...: operands in pairs a0, b0, a1, b1
    Sum,         ///< of all
    Mean,        ///< of all
    Subtract,    ///< first - second
    Multiply,    ///< of all
    Divide,      ///< first / second
    Maximum,     ///< of all
    Exponential, ///< e^first
    Logarithm,   ///< natural
    SquareRoot,
    Square,
    Power, ///< first^second
    Sine,
    Cosine,
    Hide, ///< no operand: the mask says so, the result is the score -infinity
    Copy, ///< the first: split into heads, concatenate
};

/// A number that enters a step: a cell, or a named constant ("\sqrt{d_k}", "\epsilon").
struct Operand
{
    std::optional<CellAddress> cell;
    std::string symbol; ///< LaTeX of a constant; empty for cells
    double value = 0.0;
    std::optional<ExactNumber> exact; ///< of a constant; a cell's is in its matrix
};

/// What `operation` makes of numbers. Throws Error for a wrong count.
double evaluate(Operation operation, const std::vector<double>& operands);
std::string_view nameOf(Operation operation); ///< "dot"

/// One arithmetic operation: fills one cell.
struct WorkedStep
{
    int stage = 0;
    Operation operation = Operation::Copy;
    std::vector<Operand> operands;
    CellAddress result;
    double value = 0.0; ///< evaluate(operation, values of the operands)
    std::optional<ExactNumber> exact;
    std::string formula; ///< LaTeX with names: "s_{\text{sat},0} = \sum_i q_i k_i"
    std::string reason;  ///< why, where it is no arithmetic ("hidden by the causal mask"); or empty
};

/// Steps that belong together: "Scores", "Scale", "Softmax", "Weighted sum".
struct WorkedStage
{
    std::string title;
    std::string formula;            ///< LaTeX of the whole stage
    std::vector<int> large;         ///< matrices drawn large: operands, then results
    std::vector<std::string> signs; ///< between those: "×", "="; one fewer than large
    std::size_t firstStep = 0;
    std::size_t steps = 0;
};

/// A calculation that can be walked: immutable; where the person is, is one number (steps done).
struct WorkedExample
{
    std::string name;  ///< "attention"
    std::string title; ///< "Attention, three tokens"
    std::vector<WorkedMatrix> matrices;
    std::vector<WorkedStage> stages; ///< in order, covering all steps
    std::vector<WorkedStep> steps; ///< an operand's cell was filled by an earlier step or an input

    const WorkedMatrix* find(std::string_view matrix) const; ///< by name, or null

    /// "scores[2,0]"; throws Error naming what is there.
    double number(std::string_view reference) const;
    CellAddress address(std::string_view reference) const;

    /// Whether the cell is known when so many steps are done. Throws Error for no such cell.
    bool isFilled(CellAddress cell, std::size_t stepsDone) const;
};

} // namespace headscope
