#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/lessons/worked/matrix_steps.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Encoder layer of Vaswani et al. 2017, sections 3.1 to 3.3: attention and feed-forward network,
/// each with a residual connection and LayerNorm after it; gamma is 1 and beta 0.
class BlockWalk
{
public:
    BlockWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int parameter(const char* name, std::string title);
    int projected(const char* letter, CellRole role);
    int attention();
    int feedForward(int x);
    int rectified(int hidden);
    int added(int x, int update, int sublayer);
    int normalised(int x, int sublayer);
    int centred(int x, const std::string& suffix, int sublayer);
    int deviation(int centred, const std::string& suffix, int sublayer);
    int column(std::string name, std::string title, const char* label);

    ExampleBuilder& m_builder;
    const ExampleInputs& m_inputs;
    int m_x = -1;
    int m_epsilon = -1;
};

BlockWalk::BlockWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
    , m_inputs(inputs)
{
    m_x = builder.input(inputs.matrix("x"), {"", "Input x", "x"});
    m_epsilon = builder.input(inputs.matrix("epsilon"), {"", "ε", "\\epsilon"});
    if (builder.value({m_epsilon, 0, 0}) <= 0.0)
        throw Error("epsilon is not above 0", {},
                    "Type 0.00001: it prevents a division by 0 in a constant row");
}

int BlockWalk::parameter(const char* name, std::string title)
{
    return m_builder.input(m_inputs.matrix(name), {"", std::move(title), name});
}

int BlockWalk::column(std::string name, std::string title, const char* label)
{
    return m_builder.matrix({std::move(name), std::move(title)}, m_builder.at(m_x).rowLabels,
                            {message(label)});
}

int BlockWalk::projected(const char* letter, CellRole role)
{
    const std::string name = fmt::format("W_{}", letter);
    ProductPlan plan;
    plan.left = m_x;
    plan.right = parameter(name.c_str(), name);
    plan.style = {letter,
                  role == CellRole::Query ? "Queries Q"
                  : role == CellRole::Key ? "Keys K"
                                          : "Values V",
                  fmt::format("x {}", name), role};
    plan.stage = plan.style.title;
    plan.formula = fmt::format("{} = x {}", letter, name);
    plan.cell = letter;
    plan.entry = "x";
    return productStage(m_builder, std::move(plan));
}

int BlockWalk::attention()
{
    AttentionParts parts;
    parts.queries = projected("Q", CellRole::Query);
    parts.keys = projected("K", CellRole::Key);
    parts.values = projected("V", CellRole::Value);
    AttentionChoices choices;
    choices.outputName = "context";
    choices.outputTitle = "Attention output";
    ProductPlan plan;
    plan.left = attentionStages(m_builder, parts, choices);
    plan.right = parameter("W_O", "W_O");
    plan.style = {"attended", "Projected", "O W_O"};
    plan.stage = "Project";
    plan.formula = "O \\cdot W_O";
    plan.cell = "p";
    plan.entry = "o";
    return productStage(m_builder, std::move(plan));
}

int BlockWalk::added(int x, int update, int sublayer)
{
    if (!m_inputs.isOn("residual"))
        return update;
    return sumStage(m_builder, x, update,
                    {fmt::format("sum_{}", sublayer), "Residual stream", "x + f(x)"},
                    fmt::format("Residual {}", sublayer), "x + f(x)");
}

int BlockWalk::centred(int x, const std::string& suffix, int sublayer)
{
    const int mean = column("mean" + suffix, "Mean", "μ");
    const int centred = m_builder.matrix({"centred" + suffix, "Centred", "x - \\mu"},
                                         m_builder.at(x).rowLabels, m_builder.at(x).columnLabels);
    m_builder.stage(fmt::format("LayerNorm {}: centre", sublayer), "x - \\mu", {x, mean, centred},
                    {"−", "="});
    for (int row = 0; row < m_builder.at(x).rows(); ++row) {
        m_builder.step(Operation::Mean, m_builder.row(x, row), {mean, row, 0},
                       "\\mu = \\frac{1}{d} \\sum_i x_i");
        for (int i = 0; i < m_builder.at(x).columns(); ++i)
            m_builder.step(Operation::Subtract, {cell(x, row, i), cell(mean, row, 0)},
                           {centred, row, i}, fmt::format("x_{{{}}} - \\mu", i));
    }
    return centred;
}

int BlockWalk::deviation(int centred, const std::string& suffix, int sublayer)
{
    const std::string mean = "\\frac{1}{d} \\sum_i (x_i - \\mu)^2";
    const std::string root = fmt::format("\\sqrt{{{} + \\epsilon}}", mean);
    const int squares =
        m_builder.matrix({"squares" + suffix, "Squares", "(x - \\mu)^2"},
                         m_builder.at(centred).rowLabels, m_builder.at(centred).columnLabels);
    const int variance = column("variance" + suffix, "Variance", "σ²");
    const int stable = column("stable" + suffix, "Plus ε", "+ ε");
    const int deviation = column("deviation" + suffix, "Divisor", "√");
    m_builder.stage(fmt::format("LayerNorm {}: divisor", sublayer), root,
                    {centred, squares, variance, m_epsilon, stable, deviation},
                    {"→", "→", "+", "=", "→"});
    for (int row = 0; row < m_builder.at(centred).rows(); ++row) {
        for (int i = 0; i < m_builder.at(centred).columns(); ++i)
            m_builder.step(Operation::Square, {cell(centred, row, i)}, {squares, row, i},
                           fmt::format("(x_{{{}}} - \\mu)^2", i));
        m_builder.step(Operation::Mean, m_builder.row(squares, row), {variance, row, 0}, mean);
        m_builder.step(Operation::Sum, {cell(variance, row, 0), cell(m_epsilon, 0, 0)},
                       {stable, row, 0}, mean + " + \\epsilon");
        m_builder.step(Operation::SquareRoot, {cell(stable, row, 0)}, {deviation, row, 0}, root);
    }
    return deviation;
}

int BlockWalk::normalised(int x, int sublayer)
{
    const std::string suffix = fmt::format("_{}", sublayer);
    const int from = centred(x, suffix, sublayer);
    const int divisor = deviation(from, suffix, sublayer);
    const std::string formula = "\\frac{x_i - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}";
    const bool isLast = sublayer == 2;
    const int result =
        m_builder.matrix({isLast ? "output" : "norm_1", isLast ? "Output" : "Normalised",
                          "\\text{LayerNorm}(x)", isLast ? CellRole::Result : CellRole::Plain},
                         m_builder.at(x).rowLabels, m_builder.at(x).columnLabels);
    m_builder.stage(fmt::format("LayerNorm {}: divide", sublayer), formula, {from, divisor, result},
                    {"÷", "="});
    for (int row = 0; row < m_builder.at(x).rows(); ++row)
        for (int i = 0; i < m_builder.at(x).columns(); ++i)
            m_builder.step(Operation::Divide, {cell(from, row, i), cell(divisor, row, 0)},
                           {result, row, i}, formula);
    return result;
}

int BlockWalk::rectified(int hidden)
{
    const int active =
        m_builder.matrix({"active", "After ReLU", "\\max(0, h)"}, m_builder.at(hidden).rowLabels,
                         m_builder.at(hidden).columnLabels);
    m_builder.stage("ReLU", "\\max(0, h)", {hidden, active}, {"→"});
    for (int row = 0; row < m_builder.at(hidden).rows(); ++row)
        for (int i = 0; i < m_builder.at(hidden).columns(); ++i)
            m_builder.step(Operation::Maximum, {constant("0", 0), cell(hidden, row, i)},
                           {active, row, i},
                           fmt::format("\\max(0, h_{})", cellIndex(m_builder.at(hidden), row, i)));
    return active;
}

int BlockWalk::feedForward(int x)
{
    ProductPlan widen;
    widen.left = x;
    widen.right = parameter("W_1", "W_1");
    widen.bias = parameter("b_1", "b_1");
    widen.style = {"hidden", "Hidden h", "x W_1 + b_1"};
    widen.stage = "Expand";
    widen.formula = "h = x W_1 + b_1";
    widen.cell = "h";
    widen.entry = "x";
    ProductPlan narrow;
    narrow.left = rectified(productStage(m_builder, std::move(widen)));
    narrow.right = parameter("W_2", "W_2");
    narrow.bias = parameter("b_2", "b_2");
    narrow.style = {"ffn", "Feed-forward output", "\\max(0, h) W_2 + b_2"};
    narrow.stage = "Project back";
    narrow.formula = "\\max(0, h) W_2 + b_2";
    narrow.cell = "f";
    narrow.entry = "r";
    return productStage(m_builder, std::move(narrow));
}

void BlockWalk::walk()
{
    const int attended = normalised(added(m_x, attention(), 1), 1);
    normalised(added(attended, feedForward(attended), 2), 2);
}

} // namespace

/// Q, K and V are those of the example "two-tokens"; all other numbers are chosen to be short.
ExampleInputs encoderBlockInputs()
{
    const std::vector<std::string> dims = numbered("dim", 4);
    const std::vector<std::string> head = numbered("dim", 2);
    const std::vector<std::string> hidden = numbered("unit", 4);
    ExampleInputs inputs;
    inputs.example = "encoder-block";
    inputs.matrices = {
        inputMatrix("x", {"token 1", "token 2"}, dims, {1, 0, 1, 0, 0, 1, 0, 1}),
        inputMatrix("W_Q", dims, head, {1, 0, 0, 0, 0, 0, 0, 1}),
        inputMatrix("W_K", dims, head, {1, 0, 0, 1, 0, 0, 1, 0}),
        inputMatrix("W_V", dims, head, {1, 1, 2, 2, 0, 1, 1, 2}),
        inputMatrix("W_O", head, dims, {1, 0, .5, 0, 0, 1, 0, .5}),
        inputMatrix("W_1", dims, hidden, {1, 0, 0, -1, 0, 1, 0, 1, 1, 0, -1, 0, 0, 1, 1, 0}),
        inputMatrix("b_1", {"b"}, hidden, {0, 0, 0, .5}),
        inputMatrix("W_2", hidden, dims, {1, 0, 0, .5, 0, 1, 0, 0, 0, 0, 1, 0, .5, 0, 0, 1}),
        inputMatrix("b_2", {"b"}, dims, {0, 0, .5, 0}),
        inputNumber("epsilon", "ε", 1e-5)};
    inputs.switches = {{"residual", "Residual connections", true}};
    return inputs;
}

WorkedExample workEncoderBlock(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "An encoder block, two tokens");
    BlockWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
