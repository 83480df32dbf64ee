#pragma once

#include "core/lessons/worked/worked_example.h"
#include "ui/widgets/charts/bars/bars.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// State of a worked example as values, independent of any widget.
struct WorkedDiagram
{
    std::shared_ptr<const WorkedExample> example;
    std::size_t done = 0; ///< Number of completed steps.
    bool isExact = false; ///< Shows fractions and roots in the cells, if they are short.
    /// True while the next number is asked for: its operands are highlighted.
    bool isAsking = false;
    bool isEditable = true;   ///< Shows inputs as editable.
    bool showsEarlier = true; ///< Shows results of earlier stages above the current one.
    std::vector<int> pointed; ///< Highlighted matrices.
    std::optional<CellAddress> cursor;

    bool isEmpty() const { return !example || example->matrices.empty(); }

    /// Highlighted step: the last one completed, or the next one while it is asked for. Null at the
    /// start.
    const WorkedStep* step() const;
    const WorkedStep* nextStep() const; ///< Next step; null at the end.
    int stage() const;                  ///< Stage that is shown large.

    const WorkedMatrix& matrix(int index) const;
    bool isFilled(CellAddress cell) const;
    bool isMasked(CellAddress cell) const;
    bool isOperand(CellAddress cell) const; ///< True for operands of step().
    bool isResult(CellAddress cell) const;  ///< True for the result of step().
    bool isNext(CellAddress cell) const;    ///< True for the result of nextStep().

    double value(CellAddress cell) const;
    const std::optional<ExactNumber>& exact(CellAddress cell) const;
    /// Text of a cell: "?", "", "0.5035", "√2".
    QString text(CellAddress cell, int decimals) const;

    std::vector<int> largeMatrices() const;    ///< Matrices of the current stage.
    std::vector<int> finishedMatrices() const; ///< Results of earlier stages, in order.
};

/// Formatted number with `decimals` digits; short: without trailing zeros, and at least four digits
/// if there are any. Very large and very small numbers have a power of ten.
QString workedNumber(double value, int decimals, bool isShort);

/// True if a matrix's numbers have no trailing zeros, because they were typed or are all integers.
bool isShort(const WorkedMatrix& matrix);

/// Text such as "Output, sat, dim 0: 0.6276, exact value 0.627617".
QString describeCell(const WorkedDiagram& diagram, CellAddress cell);

/// Current state in one sentence: "Output, sat, dim 0: 0.5035 times 1 plus ... equals 0.6276".
QString describeStep(const WorkedDiagram& diagram);

Role roleOf(CellRole role); ///< Colour role of operands; all but keys and values use the accent.

/// Name such as "sat, dim 0", without redundant parts.
QString cellName(const WorkedMatrix& matrix, int row, int column);

} // namespace headscope::ui
