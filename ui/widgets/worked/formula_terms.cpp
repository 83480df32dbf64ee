#include "ui/widgets/worked/formula_terms.h"

#include <algorithm>

namespace headscope::ui {

namespace {

bool areOfOneMatrix(const std::vector<Operand>& operands)
{
    return !operands.empty() && std::ranges::all_of(operands, [&](const Operand& each) {
        return each.cell && operands.front().cell &&
               each.cell->matrix == operands.front().cell->matrix;
    });
}

} // namespace

FormulaTerms::FormulaTerms(const WorkedExample& example) : m_example(example)
{
    std::set<int> results;
    std::set<int> used;
    for (const WorkedStep& step : example.steps) {
        m_steps[step.result] = &step;
        m_stages[step.result.matrix].insert(step.stage);
        int depth = 0;
        for (const Operand& operand : step.operands)
            if (operand.cell) {
                depth = std::max(depth, this->depth(*operand.cell));
                if (operand.cell->matrix != step.result.matrix)
                    used.insert(operand.cell->matrix);
            }
        m_depths[step.result] = depth + 1;
        results.insert(step.result.matrix);
    }
    std::map<CellAddress, int> uses;
    for (const int matrix : results)
        if (!used.contains(matrix)) {
            m_named[matrix] = representative(matrix);
            count(m_named[matrix], uses);
        }
    for (const auto& [cell, count] : uses)
        if (count > 1 && !m_named.contains(cell.matrix))
            m_named[cell.matrix] = cell;
}

int FormulaTerms::depth(CellAddress cell) const
{
    const auto found = m_depths.find(cell);
    return found == m_depths.end() ? 0 : found->second;
}

/// A cell where most is computed: not masked, not copied.
CellAddress FormulaTerms::representative(int matrix) const
{
    CellAddress best{matrix, 0, 0};
    for (const auto& [cell, step] : m_steps)
        if (cell.matrix == matrix && depth(cell) >= depth(best))
            best = cell;
    return best;
}

Operand FormulaTerms::deepest(const std::vector<Operand>& operands) const
{
    Operand best = operands.front();
    for (const Operand& each : operands)
        if (each.cell && (!best.cell || depth(*each.cell) >= depth(*best.cell)))
            best = each;
    return best;
}

/// Step that computed the operand, if by that operation; else null.
const WorkedStep* FormulaTerms::stepOf(const Operand& operand, Operation operation) const
{
    const auto found = operand.cell ? m_steps.find(*operand.cell) : m_steps.end();
    return found != m_steps.end() && found->second->operation == operation ? found->second
                                                                           : nullptr;
}

/// The matrix and all that its calculation reads, directly or not.
std::set<int> FormulaTerms::madeFrom(int matrix) const
{
    std::set<int> all{matrix};
    for (std::size_t before = 0; before != all.size();) {
        before = all.size();
        for (const WorkedStep& step : m_example.steps)
            if (all.contains(step.result.matrix))
                for (const Operand& operand : step.operands)
                    if (operand.cell)
                        all.insert(operand.cell->matrix);
    }
    return all;
}

std::optional<int> FormulaTerms::resultOf(int stage) const
{
    std::optional<int> nearest;
    std::size_t fewest = 0;
    for (const WorkedStep& step : m_example.steps) {
        if (step.stage != stage)
            continue;
        for (const auto& [matrix, cell] : m_named) {
            const std::set<int> from = madeFrom(matrix);
            if (from.contains(step.result.matrix) && (!nearest || from.size() < fewest)) {
                nearest = matrix;
                fewest = from.size();
            }
        }
    }
    return nearest;
}

void FormulaTerms::addStages(FormulaTerm& term, const WorkedStep& step) const
{
    const std::set<int>& stages = m_stages.at(step.result.matrix);
    term.stages.insert(stages.begin(), stages.end());
}

/// e^(t - max t) over the sum of its row.
bool FormulaTerms::asSoftmax(FormulaTerm& term) const
{
    const WorkedStep& step = *term.step;
    if (step.operation != Operation::Divide || step.operands.size() != 2)
        return false;
    const WorkedStep* power = stepOf(step.operands[0], Operation::Exponential);
    const WorkedStep* sum = stepOf(step.operands[1], Operation::Sum);
    if (!power || !sum || !areOfOneMatrix(sum->operands) ||
        sum->operands.front().cell->matrix != step.operands[0].cell->matrix)
        return false;
    const WorkedStep* shift = stepOf(power->operands[0], Operation::Subtract);
    const bool isShifted = shift && stepOf(shift->operands[1], Operation::Maximum);
    term.parts = {isShifted ? shift->operands[0] : power->operands[0]};
    for (const WorkedStep* part : {power, sum, isShifted ? shift : power})
        addStages(term, *part);
    term.isSoftmax = true;
    return true;
}

void FormulaTerms::asDot(FormulaTerm& term) const
{
    std::vector<Operand> left;
    std::vector<Operand> right;
    for (std::size_t i = 0; i + 1 < term.step->operands.size(); i += 2) {
        left.push_back(term.step->operands[i]);
        right.push_back(term.step->operands[i + 1]);
    }
    term.isProduct = areOfOneMatrix(left) && areOfOneMatrix(right);
    if (!term.isProduct) {
        term.parts = term.step->operands;
        return;
    }
    term.parts = {deepest(left), deepest(right)};
    const auto& of = m_example.matrices[static_cast<std::size_t>(right.front().cell->matrix)];
    term.isTransposed = of.rows() > 1 && static_cast<int>(right.size()) == of.columns() &&
                        std::ranges::all_of(right, [&](const Operand& each) {
                            return each.cell->row == right.front().cell->row;
                        });
}

FormulaTerm FormulaTerms::term(CellAddress cell) const
{
    FormulaTerm term;
    term.step = m_steps.at(cell);
    addStages(term, *term.step);
    if (asSoftmax(term))
        return term;
    const std::vector<Operand>& operands = term.step->operands;
    if (term.step->operation == Operation::Dot) {
        asDot(term);
        return term;
    }
    const bool canReduce = term.step->operation == Operation::Sum ||
                           term.step->operation == Operation::Mean ||
                           term.step->operation == Operation::Maximum;
    term.isReduction = canReduce && areOfOneMatrix(operands);
    term.parts = term.isReduction ? std::vector<Operand>{deepest(operands)} : operands;
    return term;
}

/// True if the cells of a row are results of different operations.
bool FormulaTerms::hasMixedRow(CellAddress cell) const
{
    std::set<Operation> operations;
    for (const auto& [other, step] : m_steps)
        if (other.matrix == cell.matrix && other.row == cell.row)
            operations.insert(step->operation);
    return operations.size() > 1 && !operations.contains(Operation::Copy) &&
           !operations.contains(Operation::Hide);
}

void FormulaTerms::count(CellAddress cell, std::map<CellAddress, int>& uses)
{
    if (!m_steps.contains(cell) || ++uses[cell] > 1)
        return;
    if (!hasMixedRow(cell)) {
        countParts(cell, uses);
        return;
    }
    const bool isNew = m_mixed.insert(cell.matrix).second;
    if (!isNew)
        return;
    m_named.try_emplace(cell.matrix, cell);
    for (const auto& [other, step] : m_steps)
        if (other.matrix == cell.matrix && other.row == cell.row)
            countParts(other, uses);
}

void FormulaTerms::countParts(CellAddress cell, std::map<CellAddress, int>& uses)
{
    for (const Operand& part : term(cell).parts)
        if (part.cell && part.cell->matrix != cell.matrix)
            count(*part.cell, uses);
}

} // namespace headscope::ui
