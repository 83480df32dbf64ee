#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Hyperparameters of an update, each a 1 x 1 matrix.
enum Setting { Rate, Beta1, Beta2, Epsilon, Decay, Step, LargestNorm, SettingCount };

struct SettingStyle
{
    const char* name;
    const char* title;
    double initial;
};

constexpr std::array<SettingStyle, SettingCount> kSettings{{{"rate", "Learning rate η", .01},
                                                            {"beta1", "β1", .9},
                                                            {"beta2", "β2", .95},
                                                            {"epsilon", "ε", 1e-8},
                                                            {"decay", "Decay λ", .1},
                                                            {"step", "Step t", 1},
                                                            {"largest_norm", "Clip norm", 1}}};

/// One update, in the order of core/ops/parameter_updates.h.
class AdamWalk
{
public:
    AdamWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    double setting(Setting which) const { return m_builder.value({m_settings[which], 0, 0}); }

    Operand of(Setting which) const { return cell(m_settings[which], 0, 0); }

    void checkSettings() const;

    Operand complement(Setting which, const std::string& symbol) const;
    int likeWeights(std::string name, std::string title, std::string formula,
                    CellRole role = CellRole::Plain);
    void each(Operation operation, int result, const std::vector<int>& rows,
              const std::vector<Operand>& shared, const std::string& letter);
    void clip();
    int clipFactor();
    void coupledDecay();
    void moments();
    void correct();
    int decayed();
    void update(int weights);

    ExampleBuilder& m_builder;
    bool m_clips;
    bool m_isDecoupled;
    int m_weights = -1;
    int m_gradient = -1;
    int m_first = -1;
    int m_second = -1;
    std::array<int, SettingCount> m_settings{};
};

void AdamWalk::checkSettings() const
{
    for (const Setting beta : {Beta1, Beta2})
        if (setting(beta) < 0.0 || setting(beta) >= 1.0)
            throw Error(fmt::format("a beta of {} is out of range", setting(beta)), {},
                        "Type a number of at least 0 and below 1");
    if (setting(Step) < 1.0 || setting(Step) != std::floor(setting(Step)))
        throw Error(fmt::format("there is no update {}", setting(Step)), {},
                    "Updates are counted from 1");
    if (setting(Epsilon) <= 0.0)
        throw Error("epsilon is not above 0", {}, "Type 0.00000001: it prevents a division by 0");
    if (setting(LargestNorm) <= 0.0)
        throw Error("the clip norm is not above 0", {}, "Type a number such as 1");
}

AdamWalk::AdamWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
    , m_clips(inputs.isOn("clip"))
    , m_isDecoupled(inputs.isOn("decoupled"))
{
    m_weights = builder.input(inputs.matrix("weights"), {"", "Weights w", "w"});
    m_gradient = builder.input(inputs.matrix("gradient"), {"", "Gradient g", "g"});
    m_first = builder.input(inputs.matrix("first"), {"", "First moment m", "m"});
    m_second = builder.input(inputs.matrix("second"), {"", "Second moment v", "v"});
    for (std::size_t i = 0; i < SettingCount; ++i)
        m_settings[i] = builder.input(inputs.matrix(kSettings[i].name), {"", kSettings[i].title});
    checkSettings();
    for (const int each : {m_gradient, m_first, m_second})
        if (builder.at(each).columns() != builder.at(m_weights).columns() ||
            builder.at(each).rows() != 1)
            throw ShapeError("weights, gradient and moments have different lengths");
    for (const double value : builder.at(m_second).values)
        if (value < 0.0)
            throw Error(fmt::format("a mean of squares of {} is negative", value), "second",
                        "Type 0 or more");
}

/// The constant 1 - setting.
Operand AdamWalk::complement(Setting which, const std::string& symbol) const
{
    const auto exact = m_builder.at(m_settings[which]).exact.front();
    return constant("(1 - " + symbol + ")", 1.0 - setting(which),
                    exact ? ExactNumber(1) - *exact : std::nullopt);
}

int AdamWalk::likeWeights(std::string name, std::string title, std::string formula, CellRole role)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula), role}, {""},
                            m_builder.at(m_weights).columnLabels);
}

/// Adds steps result_i = operation of the i-th number of each row and the shared operands.
void AdamWalk::each(Operation operation, int result, const std::vector<int>& rows,
                    const std::vector<Operand>& shared, const std::string& formula)
{
    for (int i = 0; i < m_builder.at(result).columns(); ++i) {
        std::vector<Operand> operands;
        for (const int row : rows)
            operands.push_back(cell(row, 0, i));
        operands.insert(operands.end(), shared.begin(), shared.end());
        m_builder.step(operation, std::move(operands), {result, 0, i}, formula);
    }
}

/// Clip factor min(1, largest / (norm + 1e-6)).
int AdamWalk::clipFactor()
{
    const int squares = likeWeights("gradient_squares", "Squares", "g_i^2");
    const int sum = m_builder.matrix({"square_sum", "Sum", "\\sum_i g_i^2"}, {""}, {""});
    const int norm = m_builder.matrix({"norm", "Norm", "\\sqrt{\\sum_i g_i^2}"}, {""}, {""});
    const int stable = m_builder.matrix({"norm_stable", "Plus 0.000001"}, {""}, {""});
    m_builder.stage("Norm", "\\sqrt{\\sum_i g_i^2}", {m_gradient, squares, sum, norm, stable},
                    {"→", "→", "→", "→"});
    each(Operation::Square, squares, {m_gradient}, {}, "g_i^2");
    m_builder.step(Operation::Sum, m_builder.row(squares, 0), {sum, 0, 0}, "\\sum_i g_i^2");
    m_builder.step(Operation::SquareRoot, {cell(sum, 0, 0)}, {norm, 0, 0}, "\\sqrt{\\sum_i g_i^2}");
    m_builder.step(Operation::Sum,
                   {cell(norm, 0, 0), constant("0.000001", 1e-6, ExactNumber::fromDecimal(1e-6))},
                   {stable, 0, 0}, "\\sqrt{\\sum_i g_i^2} + 0.000001");
    const int factor = m_builder.matrix({"clip_factor", "Factor"}, {""}, {""});
    m_builder.stage("Clip", "g \\cdot \\frac{\\text{largest}}{\\text{norm}}",
                    {m_settings[LargestNorm], stable, factor}, {"÷", "="});
    if (m_builder.value({stable, 0, 0}) > setting(LargestNorm))
        m_builder.step(Operation::Divide, {of(LargestNorm), cell(stable, 0, 0)}, {factor, 0, 0},
                       "\\frac{\\text{largest}}{\\text{norm}}", "The norm exceeds the clip norm.");
    else
        m_builder.step(Operation::Copy, {constant("1", 1)}, {factor, 0, 0}, "1",
                       "The norm is within the clip norm: nothing is clipped.");
    return factor;
}

void AdamWalk::clip()
{
    const int factor = clipFactor();
    const int clipped = likeWeights("clipped", "Clipped gradient", "g");
    m_builder.stage("Clipped", "g", {m_gradient, factor, clipped}, {"×", "="});
    each(Operation::Multiply, clipped, {m_gradient}, {cell(factor, 0, 0)}, "g_i");
    m_gradient = clipped;
}

/// Weight decay of Adam, g + lambda w, which passes through the moments.
void AdamWalk::coupledDecay()
{
    const int pull = likeWeights("pull", "Weight decay", "\\lambda w");
    const int pulled = likeWeights("pulled", "Gradient with decay", "g + \\lambda w");
    m_builder.stage("Decay", "g + \\lambda w",
                    {m_settings[Decay], m_weights, pull, m_gradient, pulled}, {"·", "=", "+", "="});
    each(Operation::Multiply, pull, {m_weights}, {of(Decay)}, "\\lambda w_i");
    each(Operation::Sum, pulled, {m_gradient, pull}, {}, "g_i + \\lambda w_i");
    m_gradient = pulled;
}

void AdamWalk::moments()
{
    const int count = m_builder.at(m_weights).columns();
    const int first = likeWeights("new_first", "New m", "\\beta_1 m + (1 - \\beta_1) g");
    m_builder.stage("First moment", "\\beta_1 m + (1 - \\beta_1) g",
                    {m_settings[Beta1], m_first, m_gradient, first}, {"·", "+", "="});
    for (int i = 0; i < count; ++i)
        m_builder.dot({of(Beta1), complement(Beta1, "\\beta_1")},
                      {cell(m_first, 0, i), cell(m_gradient, 0, i)}, {first, 0, i},
                      "m_i = \\beta_1 m_i + (1 - \\beta_1) g_i");
    const int squares = likeWeights("squares", "Squares", "g^2");
    const int second = likeWeights("new_second", "New v", "\\beta_2 v + (1 - \\beta_2) g^2");
    m_builder.stage("Second moment", "\\beta_2 v + (1 - \\beta_2) g^2",
                    {m_gradient, squares, m_settings[Beta2], m_second, second},
                    {"→", "", "·", "="});
    each(Operation::Square, squares, {m_gradient}, {}, "g_i^2");
    for (int i = 0; i < count; ++i)
        m_builder.dot({of(Beta2), complement(Beta2, "\\beta_2")},
                      {cell(m_second, 0, i), cell(squares, 0, i)}, {second, 0, i},
                      "v_i = \\beta_2 v_i + (1 - \\beta_2) g_i^2");
    m_first = first;
    m_second = second;
}

/// Bias correction: both moments started at 0, so they are divided by 1 - beta^t.
void AdamWalk::correct()
{
    const int powers = m_builder.matrix({"powers", "Powers", "\\beta^t"}, {""}, {"β1", "β2"});
    const int collected =
        m_builder.matrix({"collected", "Correction", "1 - \\beta^t"}, {""}, {"β1", "β2"});
    m_builder.stage("Collected", "1 - \\beta^t",
                    {m_settings[Beta1], m_settings[Beta2], m_settings[Step], powers, collected},
                    {"", "", "→", "→"});
    for (int i = 0; i < 2; ++i) {
        const std::string power = fmt::format("\\beta_{}^t", i + 1);
        m_builder.step(Operation::Power, {of(i == 0 ? Beta1 : Beta2), of(Step)}, {powers, 0, i},
                       power);
        m_builder.step(Operation::Subtract, {constant("1", 1), cell(powers, 0, i)},
                       {collected, 0, i}, "1 - " + power);
    }
    const int first = likeWeights("corrected_first", "m corrected", "\\frac{m}{1 - \\beta_1^t}");
    const int second = likeWeights("corrected_second", "v corrected", "\\frac{v}{1 - \\beta_2^t}");
    m_builder.stage("Correct m", "\\frac{m}{1 - \\beta_1^t}", {m_first, collected, first},
                    {"÷", "="});
    each(Operation::Divide, first, {m_first}, {cell(collected, 0, 0)},
         "\\frac{m_i}{1 - \\beta_1^t}");
    m_builder.stage("Correct v", "\\frac{v}{1 - \\beta_2^t}", {m_second, collected, second},
                    {"÷", "="});
    each(Operation::Divide, second, {m_second}, {cell(collected, 0, 1)},
         "\\frac{v_i}{1 - \\beta_2^t}");
    m_first = first;
    m_second = second;
}

/// Decoupled weight decay of AdamW, w (1 - rate lambda), which bypasses the moments.
int AdamWalk::decayed()
{
    const int fraction =
        m_builder.matrix({"decay_share", "Fraction lost", "\\eta \\lambda"}, {""}, {""});
    const int kept = m_builder.matrix({"kept", "Fraction kept", "1 - \\eta \\lambda"}, {""}, {""});
    const int decayed = likeWeights("decayed", "Decayed weights", "(1 - \\eta \\lambda) w");
    m_builder.stage("Decay", "(1 - \\eta \\lambda) w",
                    {m_settings[Rate], m_settings[Decay], fraction, kept, m_weights, decayed},
                    {"·", "=", "→", "·", "="});
    m_builder.step(Operation::Multiply, {of(Rate), of(Decay)}, {fraction, 0, 0}, "\\eta \\lambda");
    m_builder.step(Operation::Subtract, {constant("1", 1), cell(fraction, 0, 0)}, {kept, 0, 0},
                   "1 - \\eta \\lambda");
    each(Operation::Multiply, decayed, {m_weights}, {cell(kept, 0, 0)}, "(1 - \\eta \\lambda) w_i");
    return decayed;
}

void AdamWalk::update(int weights)
{
    const int roots = likeWeights("roots", "Root of v", "\\sqrt{v}");
    const int stable = likeWeights("stable", "Plus ε", "\\sqrt{v} + \\epsilon");
    m_builder.stage("Root", "\\sqrt{v} + \\epsilon", {m_second, roots, m_settings[Epsilon], stable},
                    {"→", "+", "="});
    each(Operation::SquareRoot, roots, {m_second}, {}, "\\sqrt{v_i}");
    each(Operation::Sum, stable, {roots}, {of(Epsilon)}, "\\sqrt{v_i} + \\epsilon");
    const std::string ratio = "\\frac{m_i}{\\sqrt{v_i} + \\epsilon}";
    const int direction = likeWeights("direction", "Direction", "\\frac{m}{\\sqrt{v} + \\epsilon}");
    m_builder.stage("Direction", ratio, {m_first, stable, direction}, {"÷", "="});
    each(Operation::Divide, direction, {m_first, stable}, {}, ratio);
    const int move = likeWeights("move", "Move", "\\eta \\cdot \\text{direction}");
    m_builder.stage("Move", "\\eta " + ratio, {m_settings[Rate], direction, move}, {"·", "="});
    each(Operation::Multiply, move, {direction}, {of(Rate)}, "\\eta " + ratio);
    const int updated = likeWeights("new_weights", "New weights", "w", CellRole::Result);
    m_builder.stage("Update", "w_i - \\eta " + ratio, {weights, move, updated}, {"−", "="});
    each(Operation::Subtract, updated, {weights, move}, {}, "w_i - \\eta " + ratio);
}

void AdamWalk::walk()
{
    if (m_clips)
        clip();
    if (!m_isDecoupled)
        coupledDecay();
    moments();
    correct();
    update(m_isDecoupled ? decayed() : m_weights);
}

} // namespace

ExampleInputs adamwInputs()
{
    const std::vector<std::string> names = {"w0", "w1", "w2"};
    ExampleInputs inputs;
    inputs.example = "adamw";
    inputs.matrices = {inputMatrix("weights", {""}, names, {1, -.5, .25}),
                       inputMatrix("gradient", {""}, names, {.3, -.4, 1.2}),
                       inputMatrix("first", {""}, names, {0, 0, 0}),
                       inputMatrix("second", {""}, names, {0, 0, 0})};
    for (const SettingStyle& setting : kSettings)
        inputs.matrices.push_back(inputNumber(setting.name, "", setting.initial));
    inputs.switches = {{"decoupled", "Decoupled decay (AdamW)", true},
                       {"clip", "Clip the gradient", false}};
    return inputs;
}

WorkedExample workAdamw(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example,
                           inputs.isOn("decoupled") ? "One AdamW step" : "One Adam step");
    AdamWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
