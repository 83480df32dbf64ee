#include "core/lessons/worked/attention_steps.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

struct Sizes
{
    int queries = 0; ///< Queries of one group.
    int keys = 0;
};

Sizes checkedSizes(const ExampleBuilder& builder, const AttentionParts& parts)
{
    const WorkedMatrix& q = builder.at(parts.queries);
    const WorkedMatrix& k = builder.at(parts.keys);
    const WorkedMatrix& v = builder.at(parts.values);
    if (q.columns() != k.columns())
        throw ShapeError(
            fmt::format("queries have {} dimensions and keys {}", q.columns(), k.columns()), {},
            "Give both the same length");
    if (k.rows() != v.rows())
        throw ShapeError(fmt::format("there are {} keys and {} values", k.rows(), v.rows()), {},
                         "Give each key exactly one value");
    return {q.rows() / parts.groups, k.rows() / parts.groups};
}

/// Column labels of the scores: the tokens of the first group.
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
    HiddenKeys hiddenKeys(int row) const;

    ExampleBuilder& m_builder;
    AttentionParts m_parts;
    const AttentionChoices& m_choices;
    Sizes m_sizes;
    std::vector<HiddenKeys> m_hidden; ///< Hidden keys per row, once there is a mask.
    std::string m_letter = "s";       ///< Letter of the current scores in formulas.
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
                cellIndex(m_builder.at(scores), row, key), rowIndex(m_builder.at(scores), row),
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
            const std::string at = cellIndex(m_builder.at(scores), row, key);
            m_builder.step(Operation::Divide, {cell(scores, row, key), root}, {scaled, row, key},
                           fmt::format("z_{0} = \\frac{{s_{0}}}{{\\sqrt{{d_k}}}}", at));
        }
    m_letter = "z";
    return scaled;
}

HiddenKeys AttentionWalk::hiddenKeys(int row) const
{
    HiddenKeys hidden(static_cast<std::size_t>(m_sizes.keys));
    const int query = row % m_sizes.queries;
    for (int key = 0; key < m_sizes.keys; ++key) {
        std::string& reason = hidden[static_cast<std::size_t>(key)];
        if (m_choices.causal && key > query + m_sizes.keys - m_sizes.queries)
            reason = "The causal mask hides this later key.";
        else if (m_choices.mask >= 0 && m_builder.value({m_choices.mask, query, key}) == 0.0)
            reason = "Your mask hides this key: its cell is 0.";
    }
    return hidden;
}

void AttentionWalk::maskRow(int from, int to, int row)
{
    m_hidden.push_back(hiddenKeys(row));
    for (int key = 0; key < m_sizes.keys; ++key) {
        const std::string at = cellIndex(m_builder.at(to), row, key);
        const std::string& reason = m_hidden.back()[static_cast<std::size_t>(key)];
        if (!reason.empty())
            m_builder.hide({to, row, key}, fmt::format("m_{} = -\\infty", at), reason);
        else
            m_builder.step(Operation::Copy, {cell(from, row, key)}, {to, row, key},
                           fmt::format("m_{0} = {1}_{0}", at, m_letter), "This key is visible.");
    }
}

int AttentionWalk::masked(int scores)
{
    if (m_choices.mask >= 0)
        for (const double value : m_builder.at(m_choices.mask).values)
            if (value != 0.0 && value != 1.0)
                throw Error(fmt::format("{} is not a valid mask value", value), {},
                            "Type 1 for a visible key and 0 for a hidden one");
    const int masked = add("masked", "Masked", "");
    if (m_choices.mask >= 0)
        m_builder.stage("Mask", "", {scores, m_choices.mask, masked}, {"·", "→"});
    else
        m_builder.stage("Mask", "", {scores, masked}, {"→"});
    for (int row = 0; row < m_builder.at(scores).rows(); ++row)
        maskRow(scores, masked, row);
    m_letter = "m";
    return masked;
}

int AttentionWalk::walk()
{
    int current = scores();
    if (m_choices.scale)
        current = scaled(current);
    if (m_choices.causal || m_choices.mask >= 0)
        current = masked(current);
    SoftmaxChoices softmax;
    softmax.hidden = m_hidden;
    softmax.scores = m_letter;
    const int weights = softmaxStages(m_builder, current, softmax);
    return weightedSumStage(m_builder, weights, m_parts.values,
                            {m_choices.outputName, m_choices.outputTitle, "A V", CellRole::Result},
                            m_parts.groups);
}

} // namespace

int weightedSumStage(ExampleBuilder& builder, int weights, int values, MatrixStyle look, int groups)
{
    const int output = builder.matrix(std::move(look), builder.at(weights).rowLabels,
                                      builder.at(values).columnLabels);
    builder.stage("Weighted sum", "O = A V", {weights, values, output}, {"×", "="});
    const int perGroup = builder.at(weights).rows() / groups;
    const int keys = builder.at(weights).columns();
    for (int row = 0; row < builder.at(output).rows(); ++row)
        for (int column = 0; column < builder.at(output).columns(); ++column) {
            std::vector<Operand> blended;
            for (int key = 0; key < keys; ++key)
                blended.push_back(cell(values, row / perGroup * keys + key, column));
            builder.dot(builder.row(weights, row), blended, {output, row, column},
                        fmt::format("o_{{{0}, {1}}} = \\sum_j a_{{{0}, j}} \\cdot v_{{j, {1}}}",
                                    rowIndex(builder.at(output), row), column));
        }
    return output;
}

int attentionStages(ExampleBuilder& builder, const AttentionParts& parts,
                    const AttentionChoices& choices)
{
    return AttentionWalk(builder, parts, choices).walk();
}

} // namespace headscope
