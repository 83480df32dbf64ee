#include "core/lessons/attention_steps.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// "{\text{sat}, \text{The}}" of a cell.
std::string place(const WorkedMatrix& matrix, int row, int column)
{
    return fmt::format("{{{}, {}}}", latexLabel(matrix.rowLabels[static_cast<std::size_t>(row)]),
                       latexLabel(matrix.columnLabels[static_cast<std::size_t>(column)]));
}

std::string rowOf(const WorkedMatrix& matrix, int row)
{
    return latexLabel(matrix.rowLabels[static_cast<std::size_t>(row)]);
}

struct Sizes
{
    int queries = 0; ///< of one group
    int keys = 0;
};

Sizes checkedSizes(const ExampleBuilder& builder, const AttentionParts& parts)
{
    const WorkedMatrix& q = builder.at(parts.queries);
    const WorkedMatrix& k = builder.at(parts.keys);
    const WorkedMatrix& v = builder.at(parts.values);
    if (q.columns() != k.columns())
        throw ShapeError(
            fmt::format("queries have {} numbers and keys {}", q.columns(), k.columns()), {},
            "Give both the same length");
    if (k.rows() != v.rows())
        throw ShapeError(fmt::format("there are {} keys and {} values", k.rows(), v.rows()), {},
                         "Give each key one value");
    return {q.rows() / parts.groups, k.rows() / parts.groups};
}

/// The tokens that the columns of the scores stand for: those of the first group.
std::vector<std::string> keyLabels(const WorkedMatrix& keys, Sizes sizes, int groups)
{
    std::vector<std::string> labels(keys.rowLabels.begin(), keys.rowLabels.begin() + sizes.keys);
    if (groups > 1) // "head 0: The"
        for (std::string& label : labels)
            label = label.substr(std::min(label.size(), label.find(": ") + 2));
    return labels;
}

class AttentionWalk
{
public:
    AttentionWalk(ExampleBuilder& builder, const AttentionParts& parts,
                  const AttentionChoices& choices)
        : m_builder(builder)
        , m_parts(parts)
        , m_choices(choices)
        , m_sizes(checkedSizes(builder, parts))
    {
    }

    int walk();

private:
    int add(std::string name, std::string title, std::string formula);
    int scores();
    int scaled(int scores);
    int masked(int scores);
    void maskRow(int from, int to, int row);
    int weightedSum(int weights);
    HiddenKeys hiddenKeys(int row) const;

    ExampleBuilder& m_builder;
    AttentionParts m_parts;
    const AttentionChoices& m_choices;
    Sizes m_sizes;
    std::vector<HiddenKeys> m_hidden; ///< of each row, once there is a mask
};

int AttentionWalk::add(std::string name, std::string title, std::string formula)
{
    const auto labels = keyLabels(m_builder.at(m_parts.keys), m_sizes, m_parts.groups);
    const auto rows = m_builder.at(m_parts.queries).rowLabels;
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)}, rows, labels);
}

int AttentionWalk::scores()
{
    const int scores = add("scores", "Scores", "Q K^\\top");
    m_builder.stage("Scores", "S = Q K^\\top", {m_parts.queries, m_parts.keys, scores}, {"·", "="});
    for (int row = 0; row < m_builder.at(scores).rows(); ++row)
        for (int key = 0; key < m_sizes.keys; ++key) {
            const int keyRow = row / m_sizes.queries * m_sizes.keys + key;
            const std::string formula = fmt::format(
                "s_{} = \\sum_i q_{{{}, i}} \\cdot k_{{{}, i}}",
                place(m_builder.at(scores), row, key), rowOf(m_builder.at(scores), row),
                latexLabel(m_builder.at(scores).columnLabels[static_cast<std::size_t>(key)]));
            m_builder.dot(m_builder.row(m_parts.queries, row), m_builder.row(m_parts.keys, keyRow),
                          {scores, row, key}, formula);
        }
    return scores;
}

int AttentionWalk::scaled(int scores)
{
    const int dimensions = m_builder.at(m_parts.queries).columns();
    const int scaled = add("scaled", "Scaled", "\\frac{Q K^\\top}{\\sqrt{d_k}}");
    m_builder.stage("Scale", "\\frac{S}{\\sqrt{d_k}}", {scores, scaled}, {"→"});
    const Operand root = rootConstant("\\sqrt{d_k}", dimensions);
    for (int row = 0; row < m_builder.at(scores).rows(); ++row)
        for (int key = 0; key < m_sizes.keys; ++key) {
            const std::string at = place(m_builder.at(scores), row, key);
            m_builder.step({Operation::Divide,
                            {cell(scores, row, key), root},
                            {scaled, row, key},
                            fmt::format("z_{0} = \\frac{{s_{0}}}{{\\sqrt{{d_k}}}}", at)});
        }
    return scaled;
}

HiddenKeys AttentionWalk::hiddenKeys(int row) const
{
    HiddenKeys hidden(static_cast<std::size_t>(m_sizes.keys));
    const int query = row % m_sizes.queries;
    for (int key = 0; key < m_sizes.keys; ++key) {
        std::string& reason = hidden[static_cast<std::size_t>(key)];
        if (m_choices.causal && key > query + m_sizes.keys - m_sizes.queries)
            reason = "The causal mask hides it: this key comes later.";
        else if (m_choices.mask >= 0 && m_builder.value({m_choices.mask, query, key}) == 0.0)
            reason = "Your mask hides it: its cell is 0.";
    }
    return hidden;
}

void AttentionWalk::maskRow(int from, int to, int row)
{
    m_hidden.push_back(hiddenKeys(row));
    for (int key = 0; key < m_sizes.keys; ++key) {
        const std::string at = place(m_builder.at(to), row, key);
        const std::string& reason = m_hidden.back()[static_cast<std::size_t>(key)];
        if (!reason.empty())
            m_builder.hide({to, row, key}, fmt::format("m_{} = -\\infty", at), reason);
        else
            m_builder.step({Operation::Copy,
                            {cell(from, row, key)},
                            {to, row, key},
                            fmt::format("m_{0} = z_{0}", at),
                            "This key may be seen."});
    }
}

int AttentionWalk::masked(int scores)
{
    if (m_choices.mask >= 0)
        for (const double value : m_builder.at(m_choices.mask).values)
            if (value != 0.0 && value != 1.0)
                throw Error(fmt::format("a mask cannot hold {}", value), {},
                            "Type 1 for a key that may be seen and 0 for one that is hidden");
    const int masked = add("masked", "Masked", "");
    if (m_choices.mask >= 0)
        m_builder.stage("Mask", "", {scores, m_choices.mask, masked}, {"·", "→"});
    else
        m_builder.stage("Mask", "", {scores, masked}, {"→"});
    for (int row = 0; row < m_builder.at(scores).rows(); ++row)
        maskRow(scores, masked, row);
    return masked;
}

int AttentionWalk::weightedSum(int weights)
{
    const WorkedMatrix& values = m_builder.at(m_parts.values);
    const int output =
        m_builder.matrix({m_choices.outputName, m_choices.outputTitle, "A V", CellRole::Result},
                         m_builder.at(weights).rowLabels, values.columnLabels);
    m_builder.stage("Weighted sum", "\\text{output} = A V", {weights, m_parts.values, output},
                    {"×", "="});
    for (int row = 0; row < m_builder.at(output).rows(); ++row)
        for (int column = 0; column < m_builder.at(output).columns(); ++column) {
            const int first = row / m_sizes.queries * m_sizes.keys;
            std::vector<Operand> blended = m_builder.column(m_parts.values, column);
            blended = {blended.begin() + first, blended.begin() + first + m_sizes.keys};
            m_builder.dot(m_builder.row(weights, row), blended, {output, row, column},
                          fmt::format("o_{{{0}, {1}}} = \\sum_j a_{{{0}, j}} \\cdot v_{{j, {1}}}",
                                      rowOf(m_builder.at(output), row), column));
        }
    return output;
}

int AttentionWalk::walk()
{
    int current = scores();
    if (m_choices.scale)
        current = scaled(current);
    if (m_choices.causal || m_choices.mask >= 0)
        current = masked(current);
    return weightedSum(softmaxStages(m_builder, current, m_hidden));
}

/// The three stages of a softmax over rows.
class SoftmaxWalk
{
public:
    SoftmaxWalk(ExampleBuilder& builder, int scores, const std::vector<HiddenKeys>& hidden)
        : m_builder(builder)
        , m_scores(scores)
        , m_hidden(hidden)
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
    int addColumn(std::string name, std::string title, std::string formula, std::string column);
    void shift();
    void shiftRow(int maximum, int row);
    void exponentials();
    int divide();
    void divideRow(int sums, int weights, int row);

    ExampleBuilder& m_builder;
    int m_scores;
    const std::vector<HiddenKeys>& m_hidden;
    int m_rows;
    int m_columns;
    int m_shifted = -1;
    int m_exponentials = -1;
};

bool SoftmaxWalk::isHidden(int row, int column) const
{
    return !m_hidden.empty() &&
           !m_hidden[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)].empty();
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
                           std::string column)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)},
                            m_builder.at(m_scores).rowLabels, {std::move(column)});
}

void SoftmaxWalk::shift()
{
    const int maximum = addColumn("maximum", "Largest", "\\max_j z_j", "max");
    m_shifted = add("shifted", "Minus the largest", "z - \\max_j z_j");
    m_builder.stage("Subtract max", "z_j - \\max_i z_i", {m_scores, maximum, m_shifted},
                    {"−", "="});
    for (int row = 0; row < m_rows; ++row)
        shiftRow(maximum, row);
}

void SoftmaxWalk::shiftRow(int maximum, int row)
{
    const std::string of = rowOf(m_builder.at(m_scores), row);
    const bool blind = seesNothing(row);
    m_builder.step({Operation::Maximum,
                    m_builder.row(m_scores, row),
                    {maximum, row, 0},
                    fmt::format("\\max_j z_{{{}, j}}", of),
                    blind ? "No key may be seen, so that there is no largest score." : ""});
    for (int column = 0; column < m_columns; ++column) {
        const std::string at = place(m_builder.at(m_scores), row, column);
        if (blind) // -infinity less -infinity would be no number
            m_builder.step({Operation::Copy,
                            {cell(m_scores, row, column)},
                            {m_shifted, row, column},
                            fmt::format("t_{} = -\\infty", at),
                            "No key may be seen: nothing is subtracted."});
        else
            m_builder.step({Operation::Subtract,
                            {cell(m_scores, row, column), cell(maximum, row, 0)},
                            {m_shifted, row, column},
                            fmt::format("t_{0} = z_{0} - \\max_j z_{{{1}, j}}", at, of)});
    }
}

void SoftmaxWalk::exponentials()
{
    m_exponentials = add("exponentials", "Exponentials", "e^{z - \\max}");
    m_builder.stage("Exponentials", "e^{z_j - \\max_i z_i}", {m_shifted, m_exponentials}, {"→"});
    for (int row = 0; row < m_rows; ++row)
        for (int column = 0; column < m_columns; ++column)
            m_builder.step(
                {Operation::Exponential,
                 {cell(m_shifted, row, column)},
                 {m_exponentials, row, column},
                 fmt::format("e^{{t_{}}}", place(m_builder.at(m_scores), row, column)),
                 isHidden(row, column) ? "A hidden key: e to minus infinity is 0." : ""});
}

int SoftmaxWalk::divide()
{
    const int sums = addColumn("sums", "Sum", "\\sum_j e^{t_j}", "sum");
    const int weights =
        add("weights", "Weights", "\\frac{e^{t}}{\\sum_j e^{t_j}}", CellRole::Weight);
    m_builder.stage("Softmax", "a_j = \\frac{e^{t_j}}{\\sum_i e^{t_i}}",
                    {m_exponentials, sums, weights}, {"÷", "="});
    for (int row = 0; row < m_rows; ++row)
        divideRow(sums, weights, row);
    return weights;
}

void SoftmaxWalk::divideRow(int sums, int weights, int row)
{
    const std::string of = rowOf(m_builder.at(m_scores), row);
    const std::string sum = fmt::format("\\sum_j e^{{t_{{{}, j}}}}", of);
    m_builder.step({Operation::Sum, m_builder.row(m_exponentials, row), {sums, row, 0}, sum});
    for (int column = 0; column < m_columns; ++column) {
        const std::string at = place(m_builder.at(m_scores), row, column);
        const Operand exponential = cell(m_exponentials, row, column);
        if (seesNothing(row))
            m_builder.step({Operation::Copy,
                            {exponential},
                            {weights, row, column},
                            fmt::format("a_{} = 0", at),
                            "No key may be seen, and 0 over 0 is no number: by convention all "
                            "weights of this row are 0, and so is its output."});
        else
            m_builder.step({Operation::Divide,
                            {exponential, cell(sums, row, 0)},
                            {weights, row, column},
                            fmt::format("a_{0} = \\frac{{e^{{t_{0}}}}}{{{1}}}", at, sum)});
    }
}

} // namespace

int softmaxStages(ExampleBuilder& builder, int scores, const std::vector<HiddenKeys>& hidden)
{
    return SoftmaxWalk(builder, scores, hidden).walk();
}

int attentionStages(ExampleBuilder& builder, const AttentionParts& parts,
                    const AttentionChoices& choices)
{
    return AttentionWalk(builder, parts, choices).walk();
}

} // namespace headscope
