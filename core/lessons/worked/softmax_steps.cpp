#include "core/lessons/worked/softmax_steps.h"
#include "core/base/content_language.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Three stages of a softmax over rows.
class SoftmaxWalk
{
public:
    SoftmaxWalk(ExampleBuilder& builder, int scores, const SoftmaxChoices& choices)
        : m_builder(builder)
        , m_scores(scores)
        , m_choices(choices)
        , m_rows(builder.at(scores).rows())
        , m_columns(builder.at(scores).columns())
    {
    }

    int walk()
    {
        shift();
        exponentials();
        return divide();
    }

private:
    bool seesNothing(int row) const;
    bool isHidden(int row, int column) const;
    int add(std::string name, std::string title, std::string formula,
            CellRole role = CellRole::Plain);
    int addColumn(std::string name, std::string title, std::string formula,
                  const std::string& column);
    void shift();
    void shiftRow(int maximum, int row);
    void exponentials();
    int divide();
    void divideRow(int sums, int weights, int row);

    ExampleBuilder& m_builder;
    int m_scores;
    const SoftmaxChoices& m_choices;
    int m_rows;
    int m_columns;
    int m_shifted = -1;
    int m_exponentials = -1;
};

bool SoftmaxWalk::isHidden(int row, int column) const
{
    return !m_choices.hidden.empty() &&
           !m_choices.hidden[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]
                .empty();
}

bool SoftmaxWalk::seesNothing(int row) const
{
    for (int column = 0; column < m_columns; ++column)
        if (!isHidden(row, column))
            return false;
    return true;
}

int SoftmaxWalk::add(std::string name, std::string title, std::string formula, CellRole role)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula), role},
                            m_builder.at(m_scores).rowLabels, m_builder.at(m_scores).columnLabels);
}

int SoftmaxWalk::addColumn(std::string name, std::string title, std::string formula,
                           const std::string& column)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)},
                            m_builder.at(m_scores).rowLabels, {message(column)});
}

void SoftmaxWalk::shift()
{
    const std::string& of = m_choices.scores;
    const int maximum = addColumn("maximum", "Largest", fmt::format("c = \\max_j {}_j", of), "max");
    m_shifted = add("shifted", "Minus the largest", of + " - c");
    m_builder.stage("Subtract max", fmt::format("t_j = {0}_j - \\max_i {0}_i", of),
                    {m_scores, maximum, m_shifted}, {"−", "="});
    for (int row = 0; row < m_rows; ++row)
        shiftRow(maximum, row);
}

void SoftmaxWalk::shiftRow(int maximum, int row)
{
    const std::string of = rowIndex(m_builder.at(m_scores), row);
    const std::string& letter = m_choices.scores;
    const bool blind = seesNothing(row);
    m_builder.step(Operation::Maximum, m_builder.row(m_scores, row), {maximum, row, 0},
                   fmt::format("c_{{{0}}} = \\max_j {1}_{{{0}, j}}", of, letter),
                   blind ? "No key is visible, so there is no largest score." : "");
    for (int column = 0; column < m_columns; ++column) {
        const std::string at = cellIndex(m_builder.at(m_scores), row, column);
        if (blind) // -infinity minus -infinity would be NaN
            m_builder.step(Operation::Copy, {cell(m_scores, row, column)}, {m_shifted, row, column},
                           fmt::format("t_{} = -\\infty", at),
                           "No key is visible: nothing is subtracted.");
        else
            m_builder.step(Operation::Subtract,
                           {cell(m_scores, row, column), cell(maximum, row, 0)},
                           {m_shifted, row, column},
                           fmt::format("t_{0} = {1}_{0} - c_{{{2}}}", at, letter, of));
    }
}

void SoftmaxWalk::exponentials()
{
    m_exponentials = add("exponentials", "Exponentials", "e^t");
    m_builder.stage("Exponentials", "e^{t_j}", {m_shifted, m_exponentials}, {"→"});
    for (int row = 0; row < m_rows; ++row)
        for (int column = 0; column < m_columns; ++column)
            m_builder.step(
                Operation::Exponential, {cell(m_shifted, row, column)},
                {m_exponentials, row, column},
                fmt::format("e^{{t_{}}}", cellIndex(m_builder.at(m_scores), row, column)),
                isHidden(row, column) ? "A hidden key: e to minus infinity is 0." : "");
}

int SoftmaxWalk::divide()
{
    const int sums = addColumn("sums", "Sum", "Z = \\sum_j e^{t_j}", "sum");
    const int weights = add(m_choices.name, m_choices.title, "\\frac{e^t}{Z}", CellRole::Weight);
    m_builder.stage("Softmax", m_choices.letter + "_j = \\frac{e^{t_j}}{\\sum_i e^{t_i}}",
                    {m_exponentials, sums, weights}, {"÷", "="});
    for (int row = 0; row < m_rows; ++row)
        divideRow(sums, weights, row);
    return weights;
}

void SoftmaxWalk::divideRow(int sums, int weights, int row)
{
    const std::string of = rowIndex(m_builder.at(m_scores), row);
    m_builder.step(Operation::Sum, m_builder.row(m_exponentials, row), {sums, row, 0},
                   fmt::format("Z_{{{0}}} = \\sum_j e^{{t_{{{0}, j}}}}", of));
    for (int column = 0; column < m_columns; ++column) {
        const std::string at = cellIndex(m_builder.at(m_scores), row, column);
        const Operand exponential = cell(m_exponentials, row, column);
        if (seesNothing(row))
            m_builder.step(Operation::Copy, {exponential}, {weights, row, column},
                           fmt::format("{}_{} = 0", m_choices.letter, at),
                           "No key is visible, and 0 / 0 is undefined: by convention all "
                           "weights of this row are 0, and so is its output.");
        else
            m_builder.step(Operation::Divide, {exponential, cell(sums, row, 0)},
                           {weights, row, column},
                           fmt::format("{0}_{1} = \\frac{{e^{{t_{1}}}}}{{Z_{{{2}}}}}",
                                       m_choices.letter, at, of));
    }
}

} // namespace

std::string cellIndex(const WorkedMatrix& matrix, int row, int column)
{
    return fmt::format("{{{}, {}}}", rowIndex(matrix, row),
                       latexLabel(matrix.columnLabels[static_cast<std::size_t>(column)]));
}

std::string rowIndex(const WorkedMatrix& matrix, int row)
{
    return latexLabel(matrix.rowLabels[static_cast<std::size_t>(row)]);
}

int softmaxStages(ExampleBuilder& builder, int scores, const SoftmaxChoices& choices)
{
    return SoftmaxWalk(builder, scores, choices).walk();
}

} // namespace headscope
