#pragma once

#include "core/lessons/worked/worked_example.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui {

/// One operation on whole matrices, seen at one cell: its step, and for each group of operands of
/// the same matrix the operand that was computed last.
struct FormulaTerm
{
    const WorkedStep* step = nullptr;
    std::vector<Operand> parts;
    /// Stages that compute its matrices: a softmax covers several, and so does a matrix whose rows
    /// are computed one after another.
    std::set<int> stages;
    bool isSoftmax = false;
    bool isProduct = false;    ///< Dot product of two matrices: parts are left and right.
    bool isTransposed = false; ///< Product with the rows of the right matrix.
    bool isReduction = false;  ///< Sum, mean or maximum over the numbers of one matrix.
};

/// The calculation of an example as a graph of terms.
class FormulaTerms
{
public:
    explicit FormulaTerms(const WorkedExample& example); ///< References the example.

    FormulaTerm term(CellAddress cell) const; ///< Of a cell that is no input.

    /// Matrices with a formula of their own, in order: final results, those used more than once,
    /// and those whose columns are computed differently. With the cell that represents each.
    const std::map<int, CellAddress>& named() const { return m_named; }

    /// Of these, the one in whose calculation this stage is: the nearest result. Nothing for a stage
    /// without steps.
    std::optional<int> resultOf(int stage) const;

    bool isMixed(int matrix) const { return m_mixed.contains(matrix); }

private:
    int depth(CellAddress cell) const;
    Operand deepest(const std::vector<Operand>& operands) const;
    CellAddress representative(int matrix) const;
    std::set<int> madeFrom(int matrix) const;
    void addStages(FormulaTerm& term, const WorkedStep& step) const;
    bool asSoftmax(FormulaTerm& term) const;
    void asDot(FormulaTerm& term) const;
    const WorkedStep* stepOf(const Operand& operand, Operation operation) const;
    bool hasMixedRow(CellAddress cell) const;
    void count(CellAddress cell, std::map<CellAddress, int>& uses);
    void countParts(CellAddress cell, std::map<CellAddress, int>& uses);

    const WorkedExample& m_example;
    std::map<CellAddress, const WorkedStep*> m_steps;
    std::map<CellAddress, int> m_depths;
    std::map<int, std::set<int>> m_stages; ///< Of each computed matrix.
    std::map<int, CellAddress> m_named;
    std::set<int> m_mixed;
};

} // namespace headscope::ui
