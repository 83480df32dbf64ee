#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// One row of a model's head with its score rule: score = cap tanh(scale q k / cap) + bias, then
/// the mask.
class HeadWalk
{
public:
    HeadWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
        : m_builder(builder)
        , m_inputs(inputs)
    {
        read();
    }

    void walk();

private:
    void read();
    int add(std::string name, std::string title, std::string formula);
    std::string at(int key) const;
    void scores();
    void scale();
    void cap();
    void bias();
    void mask();
    void maskKey(int masked, int key, int column);

    ExampleBuilder& m_builder;
    const ExampleInputs& m_inputs;
    int m_query = -1;
    int m_keyMatrix = -1;
    int m_values = -1;
    int m_mask = -1;
    int m_keys = 0;
    int m_current = -1;         ///< Current scores [1, keys].
    std::string m_letter = "s"; ///< Letter of the current scores.
    HiddenKeys m_hidden;
};

void HeadWalk::read()
{
    m_query = m_builder.input(m_inputs.matrix("Q"), {"", "Query q", "q", CellRole::Query});
    m_keyMatrix = m_builder.input(m_inputs.matrix("K"), {"", "Keys K", "", CellRole::Key});
    m_values = m_builder.input(m_inputs.matrix("V"), {"", "Values V", "", CellRole::Value});
    m_mask = m_builder.input(m_inputs.matrix("mask"), {"", "Mask (1: visible, 0: hidden)"});
    m_keys = m_builder.at(m_keyMatrix).rows();
    const int others = m_inputs.has("others") ? 1 : 0;
    if (m_builder.at(m_query).rows() != 1 ||
        m_builder.at(m_query).columns() != m_builder.at(m_keyMatrix).columns() ||
        m_builder.at(m_values).rows() != m_keys + others ||
        m_builder.at(m_mask).columns() != m_keys)
        throw ShapeError("query, keys, values and mask have different tokens");
    for (const char* row : {"rest", "bias"})
        if (m_inputs.has(row) &&
            m_inputs.matrix(row).columnLabels.size() != static_cast<std::size_t>(m_keys))
            throw ShapeError(fmt::format("\"{}\" needs one number for each key", row));
}

int HeadWalk::add(std::string name, std::string title, std::string formula)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)},
                            m_builder.at(m_query).rowLabels, m_builder.at(m_keyMatrix).rowLabels);
}

std::string HeadWalk::at(int key) const
{
    return fmt::format("_{{{}}}", rowIndex(m_builder.at(m_keyMatrix), key));
}

void HeadWalk::scores()
{
    const bool hasRest = m_inputs.has("rest");
    const int rest =
        hasRest ? m_builder.input(m_inputs.matrix("rest"), {"", "Other dimensions"}) : -1;
    const int shown = hasRest ? add("products", "Dimensions shown", "") : -1;
    m_current = add("scores", "Scores", "q \\cdot k");
    if (hasRest)
        m_builder.stage("Scores", "s_j = q \\cdot k_j",
                        {m_query, m_keyMatrix, shown, rest, m_current}, {"·", "=", "+", "="});
    else
        m_builder.stage("Scores", "s_j = q \\cdot k_j", {m_query, m_keyMatrix, m_current},
                        {"·", "="});
    for (int key = 0; key < m_keys; ++key) {
        m_builder.dot(m_builder.row(m_query, 0), m_builder.row(m_keyMatrix, key),
                      {hasRest ? shown : m_current, 0, key},
                      fmt::format("{}{} = \\sum_i q_i \\cdot k_{{{}, i}}", hasRest ? "p" : "s",
                                  at(key), rowIndex(m_builder.at(m_keyMatrix), key)));
        if (hasRest)
            m_builder.step(Operation::Sum, {cell(shown, 0, key), cell(rest, 0, key)},
                           {m_current, 0, key}, fmt::format("s{0} = p{0} + r{0}", at(key)),
                           "The dimensions not shown are added as one number.");
    }
}

void HeadWalk::scale()
{
    const int factor =
        m_builder.input(m_inputs.matrix("scale"), {"", "Scale", "\\frac{1}{\\sqrt{d_k}}"});
    const int scaled = add("scaled", "Scaled", "\\frac{s}{\\sqrt{d_k}}");
    m_builder.stage("Scale", "z_j = \\frac{s_j}{\\sqrt{d_k}}", {m_current, factor, scaled},
                    {"×", "="});
    for (int key = 0; key < m_keys; ++key)
        m_builder.step(Operation::Multiply, {cell(m_current, 0, key), cell(factor, 0, 0)},
                       {scaled, 0, key},
                       fmt::format("z{0} = \\frac{{s{0}}}{{\\sqrt{{d_k}}}}", at(key)));
    m_current = scaled;
    m_letter = "z";
}

/// Soft cap: cap tanh(z / cap) = cap - 2 cap / (e^(2 z / cap) + 1), stable for large scores.
void HeadWalk::cap()
{
    const int cap = m_builder.input(m_inputs.matrix("cap"), {"", "Cap", "c"});
    const double limit = m_builder.value({cap, 0, 0});
    if (limit <= 0.0)
        throw Error("the cap is not above 0", "cap", "Type a number such as 30");
    const int ratio = add("cap_ratio", "Twice the ratio", "\\frac{2 z}{c}");
    const int power = add("cap_power", "Power", "e^{\\frac{2 z}{c}}");
    const int plus = add("cap_plus", "Plus 1", "e^{\\frac{2 z}{c}} + 1");
    const int part = add("cap_part", "Part", "\\frac{2 c}{e^{\\frac{2 z}{c}} + 1}");
    const int capped = add("capped", "Capped", "c \\tanh \\frac{z}{c}");
    const std::string whole = "c - \\frac{2 c}{e^{\\frac{2 z_j}{c}} + 1}";
    m_builder.stage("Cap power", "e^{\\frac{2 z_j}{c}}", {m_current, ratio, power}, {"→", "→"});
    for (int key = 0; key < m_keys; ++key) {
        m_builder.step(Operation::Divide,
                       {cell(m_current, 0, key), constant("\\frac{c}{2}", limit / 2.0)},
                       {ratio, 0, key}, fmt::format("\\frac{{2 {}{}}}{{c}}", m_letter, at(key)));
        m_builder.step(Operation::Exponential, {cell(ratio, 0, key)}, {power, 0, key},
                       fmt::format("e^{{\\frac{{2 {}{}}}{{c}}}}", m_letter, at(key)));
    }
    m_builder.stage("Soft cap", whole, {power, plus, part, cap, capped}, {"→", "→", "", "→"});
    for (int key = 0; key < m_keys; ++key) {
        m_builder.step(Operation::Sum, {cell(power, 0, key), constant("1", 1)}, {plus, 0, key},
                       "e^{\\frac{2 z_j}{c}} + 1");
        m_builder.step(Operation::Divide, {constant("2 c", 2.0 * limit), cell(plus, 0, key)},
                       {part, 0, key}, "\\frac{2 c}{e^{\\frac{2 z_j}{c}} + 1}");
        m_builder.step(Operation::Subtract, {cell(cap, 0, 0), cell(part, 0, key)}, {capped, 0, key},
                       whole, "The soft cap keeps scores between minus the cap and the cap.");
    }
    m_current = capped;
}

void HeadWalk::bias()
{
    const int bias = m_builder.input(m_inputs.matrix("bias"), {"", "Distance bias", "b"});
    const int biased = add("biased", "With bias", "z + b");
    m_builder.stage("Position bias", "z_j + b_j", {m_current, bias, biased}, {"+", "="});
    for (int key = 0; key < m_keys; ++key)
        m_builder.step(Operation::Sum, {cell(m_current, 0, key), cell(bias, 0, key)},
                       {biased, 0, key}, fmt::format("{0}{1} + b{1}", m_letter, at(key)));
    m_current = biased;
}

void HeadWalk::maskKey(int masked, int key, int column)
{
    const double allowed = m_builder.value({m_mask, 0, key});
    if (allowed != 0.0 && allowed != 1.0)
        throw Error(fmt::format("{} is not a valid mask value", allowed), {},
                    "Type 1 for a visible key and 0 for a hidden one");
    m_hidden.push_back(allowed == 1.0 ? "" : "The mask hides this key.");
    if (allowed == 1.0)
        m_builder.step(Operation::Copy, {cell(m_current, 0, key)}, {masked, 0, column},
                       fmt::format("m{0} = {1}{0}", at(key), m_letter), "This key is visible.");
    else
        m_builder.hide({masked, 0, column}, fmt::format("m{} = -\\infty", at(key)),
                       m_hidden.back());
}

/// Adds the mask, and one score for all tokens that are not shown.
void HeadWalk::mask()
{
    const bool hasOthers = m_inputs.has("others");
    const int others =
        hasOthers ? m_builder.input(m_inputs.matrix("others"), {"", "Other tokens"}) : -1;
    const int masked = m_builder.matrix({"masked", "Masked", ""}, m_builder.at(m_query).rowLabels,
                                        m_builder.at(m_values).rowLabels);
    if (hasOthers)
        m_builder.stage("Mask", "", {m_current, m_mask, others, masked}, {"·", ",", "→"});
    else
        m_builder.stage("Mask", "", {m_current, m_mask, masked}, {"·", "→"});
    if (hasOthers) {
        m_builder.step(Operation::Copy, {cell(others, 0, 0)}, {masked, 0, 0},
                       "m = \\ln \\sum_j e^{m_j}",
                       "The tokens not shown share one score: e to this score is the sum of "
                       "e to each of their scores.");
        m_hidden.push_back("");
    }
    for (int key = 0; key < m_keys; ++key)
        maskKey(masked, key, key + (hasOthers ? 1 : 0));
    m_current = masked;
    m_letter = "m";
}

void HeadWalk::walk()
{
    scores();
    if (m_inputs.isOn("scale"))
        scale();
    if (m_inputs.has("cap"))
        cap();
    if (m_inputs.has("bias"))
        bias();
    mask();
    SoftmaxChoices choices;
    choices.hidden = {m_hidden};
    choices.scores = m_letter;
    const int weights = softmaxStages(m_builder, m_current, choices);
    weightedSumStage(m_builder, weights, m_values, {"output", "Output", "a V", CellRole::Result});
}

} // namespace

WorkedExample workHead(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, inputs.title.empty() ? "Your sentence" : inputs.title);
    HeadWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
