#pragma once

#include "core/lessons/worked/worked_example.h"
#include "ui/widgets/charts/bars/bars.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A worked example at one moment, as values: what the stage draws, apart from any widget.
struct WorkedPicture
{
    std::shared_ptr<const WorkedExample> example;
    std::size_t done = 0;     ///< steps
    bool isExact = false;     ///< fractions and roots in the cells, where they are short
    bool isAsking = false;    ///< the next number is asked for: its operands are lit
    bool isEditable = true;   ///< inputs look as if one could type in them
    std::vector<int> pointed; ///< matrices to point at
    std::optional<CellAddress> cursor;

    bool isEmpty() const { return !example || example->matrices.empty(); }

    /// What is lit: the last step that was done, or the next one while it is asked for. Null at the
    /// beginning.
    const WorkedStep* step() const;
    const WorkedStep* nextStep() const; ///< null at the end
    int stage() const;                  ///< that is shown large

    const WorkedMatrix& matrix(int index) const;
    bool isFilled(CellAddress cell) const;
    bool isMasked(CellAddress cell) const;
    bool isOperand(CellAddress cell) const; ///< of step()
    bool isResult(CellAddress cell) const;  ///< of step()
    bool isNext(CellAddress cell) const;    ///< of nextStep()

    double value(CellAddress cell) const;
    const std::optional<ExactNumber>& exact(CellAddress cell) const;
    QString text(CellAddress cell, int decimals) const; ///< as in the cell: "?", "", "0.5035", "√2"

    std::vector<int> largeMatrices() const;    ///< of the stage that is shown
    std::vector<int> finishedMatrices() const; ///< what earlier stages ended with, in order
};

/// With `decimals` digits; short: without zeros at the end, and four digits at least where there
/// are any. Very large and very small numbers with a power of ten.
QString workedNumber(double value, int decimals, bool isShort);

/// Numbers of one matrix are written alike: without zeros at the end where a person typed them, or
/// where all are whole.
bool isShort(const WorkedMatrix& matrix);

/// "Output, sat, dim 0: 0.6276, exact value 0.627617".
QString describeCell(const WorkedPicture& picture, CellAddress cell);

/// What is shown now in one sentence: "Output, sat, dim 0: 0.5035 times 1 plus ... equals 0.6276".
QString describeStep(const WorkedPicture& picture);

Role roleOf(CellRole role); ///< of operands; all but keys and values have the accent

/// "sat, dim 0"; without what says nothing.
QString cellName(const WorkedMatrix& matrix, int row, int column);

} // namespace headscope::ui
