#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

#include <fmt/format.h>

namespace headscope {

namespace {

enum class Kind { Layer, Rms, StdEps };

/// Normalisation of each row of x, stage by stage. Kinds as in core/ops/norm.h.
class NormWalk
{
public:
    NormWalk(ExampleBuilder& builder, const ExampleInputs& inputs, Kind kind);

    void walk();

private:
    int column(std::string name, std::string title, std::string formula, const std::string& label);
    int likeX(std::string name, std::string title, std::string formula);
    std::string index(int row, int column) const;
    void centre();
    void square();
    void deviation();
    void sampleDeviation();
    void addEpsilon(int from, int to, int row, const std::string& formula);
    void normalise();
    void scale();
    void shift();

    ExampleBuilder& m_builder;
    Kind m_kind;
    std::string m_square; ///< LaTeX of the summed squares.
    int m_x = -1;
    int m_gamma = -1;
    int m_beta = -1; ///< Unused for Rms.
    int m_epsilon = -1;
    int m_current = -1; ///< Current matrix: x, centred, normalised.
    int m_squares = -1;
    int m_deviation = -1;
    int m_rows = 0;
    int m_columns = 0;
};

NormWalk::NormWalk(ExampleBuilder& builder, const ExampleInputs& inputs, Kind kind)
    : m_builder(builder)
    , m_kind(kind)
    , m_square(kind == Kind::Rms ? "x_i^2" : "(x_i - \\mu)^2")
{
    m_x = builder.input(inputs.matrix("x"), {"", "Input x", "x"});
    m_gamma = builder.input(inputs.matrix("gamma"), {"", "γ", "\\gamma"});
    if (kind != Kind::Rms)
        m_beta = builder.input(inputs.matrix("beta"), {"", "β", "\\beta"});
    m_epsilon = builder.input(inputs.matrix("epsilon"), {"", "ε", "\\epsilon"});
    m_rows = builder.at(m_x).rows();
    m_columns = builder.at(m_x).columns();
    m_current = m_x;
    for (const int parameter : {m_gamma, m_beta})
        if (parameter >= 0 && builder.at(parameter).columns() != m_columns)
            throw ShapeError("gamma and beta need one number for each dimension of x");
    if (builder.value({m_epsilon, 0, 0}) <= 0.0)
        throw Error("epsilon is not above 0", {},
                    "Type 0.00001: it prevents a division by 0 in a constant row");
    if (kind == Kind::StdEps && m_columns < 2)
        throw ShapeError("a standard deviation over d - 1 needs two numbers per row");
}

int NormWalk::column(std::string name, std::string title, std::string formula,
                     const std::string& label)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)},
                            m_builder.at(m_x).rowLabels, {message(label)});
}

int NormWalk::likeX(std::string name, std::string title, std::string formula)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)},
                            m_builder.at(m_x).rowLabels, m_builder.at(m_x).columnLabels);
}

std::string NormWalk::index(int row, int column) const
{
    return fmt::format("_{{{}, {}}}", rowIndex(m_builder.at(m_x), row), column);
}

void NormWalk::centre()
{
    const int mean = column("mean", "Mean", "\\mu", "μ");
    m_builder.stage("Mean", "\\mu = \\frac{1}{d} \\sum_i x_i", {m_x, mean}, {"→"});
    for (int row = 0; row < m_rows; ++row)
        m_builder.step(Operation::Mean, m_builder.row(m_x, row), {mean, row, 0},
                       fmt::format("\\mu_{{{0}}} = \\frac{{1}}{{d}} \\sum_i x_{{{0}, i}}",
                                   rowIndex(m_builder.at(m_x), row)));
    m_current = likeX("centred", "Centred", "x - \\mu");
    m_builder.stage("Centre", "x_i - \\mu", {m_x, mean, m_current}, {"−", "="});
    for (int row = 0; row < m_rows; ++row)
        for (int i = 0; i < m_columns; ++i)
            m_builder.step(
                Operation::Subtract, {cell(m_x, row, i), cell(mean, row, 0)}, {m_current, row, i},
                fmt::format("x{} - \\mu_{{{}}}", index(row, i), rowIndex(m_builder.at(m_x), row)));
}

void NormWalk::square()
{
    m_squares = likeX("squares", "Squares", m_square);
    m_builder.stage("Square", m_square, {m_current, m_squares}, {"→"});
    for (int row = 0; row < m_rows; ++row)
        for (int i = 0; i < m_columns; ++i)
            m_builder.step(Operation::Square, {cell(m_current, row, i)}, {m_squares, row, i},
                           m_kind == Kind::Rms ? fmt::format("x{}^2", index(row, i))
                                               : fmt::format("(x{} - \\mu)^2", index(row, i)));
}

void NormWalk::addEpsilon(int from, int to, int row, const std::string& formula)
{
    m_builder.step(Operation::Sum, {cell(from, row, 0), cell(m_epsilon, 0, 0)}, {to, row, 0},
                   formula + " + \\epsilon");
}

/// Divisor sqrt(mean of the squares + epsilon).
void NormWalk::deviation()
{
    const std::string mean = fmt::format("\\frac{{1}}{{d}} \\sum_i {}", m_square);
    const std::string root = fmt::format("\\sqrt{{{} + \\epsilon}}", mean);
    const int variance = column("variance", m_kind == Kind::Rms ? "Mean square" : "Variance", mean,
                                m_kind == Kind::Rms ? "mean" : "σ²");
    const int stable = column("stable", "Plus ε", "", "+ ε");
    m_deviation = column("deviation", "Divisor", root, "√");
    m_builder.stage("Deviation", root, {m_squares, variance, m_epsilon, stable, m_deviation},
                    {"→", "+", "=", "→"});
    for (int row = 0; row < m_rows; ++row) {
        m_builder.step(Operation::Mean, m_builder.row(m_squares, row), {variance, row, 0}, mean);
        addEpsilon(variance, stable, row, mean);
        m_builder.step(Operation::SquareRoot, {cell(stable, row, 0)}, {m_deviation, row, 0}, root);
    }
}

/// Divisor sqrt(sum of the squares / (d - 1)) + epsilon.
void NormWalk::sampleDeviation()
{
    const std::string sum = fmt::format("\\sum_i {}", m_square);
    const std::string mean = fmt::format("\\frac{{1}}{{d - 1}} {}", sum);
    const std::string root = fmt::format("\\sqrt{{{}}}", mean);
    const int total = column("total", "Sum", sum, "sum");
    const int variance = column("variance", "Variance", mean, "σ²");
    const int std = column("std", "Std", root, "σ");
    m_deviation = column("deviation", "Divisor", "\\sigma + \\epsilon", "σ + ε");
    m_builder.stage("Deviation", root + " + \\epsilon",
                    {m_squares, total, variance, std, m_epsilon, m_deviation},
                    {"→", "→", "→", "+", "="});
    const Operand divisor = constant("(d - 1)", m_columns - 1);
    for (int row = 0; row < m_rows; ++row) {
        m_builder.step(Operation::Sum, m_builder.row(m_squares, row), {total, row, 0}, sum);
        m_builder.step(Operation::Divide, {cell(total, row, 0), divisor}, {variance, row, 0}, mean);
        m_builder.step(Operation::SquareRoot, {cell(variance, row, 0)}, {std, row, 0}, root);
        addEpsilon(std, m_deviation, row, "\\sigma");
    }
}

void NormWalk::normalise()
{
    const int from = m_current;
    const std::string formula =
        m_kind == Kind::Rms ? "n_i = \\frac{x_i}{\\sqrt{\\frac{1}{d} \\sum_j x_j^2 + \\epsilon}}"
        : m_kind == Kind::StdEps ? "n_i = \\frac{x_i - \\mu}{\\sigma + \\epsilon}"
                                 : "n_i = \\frac{x_i - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}";
    m_current = likeX("normalised", "Normalised", "n");
    m_builder.stage("Normalise", formula, {from, m_deviation, m_current}, {"÷", "="});
    for (int row = 0; row < m_rows; ++row)
        for (int i = 0; i < m_columns; ++i)
            m_builder.step(Operation::Divide, {cell(from, row, i), cell(m_deviation, row, 0)},
                           {m_current, row, i}, formula);
}

void NormWalk::scale()
{
    const int scaled =
        m_kind == Kind::Rms
            ? m_builder.matrix({"output", "Output", "\\gamma n", CellRole::Result},
                               m_builder.at(m_x).rowLabels, m_builder.at(m_x).columnLabels)
            : likeX("scaled", "Times γ", "\\gamma n");
    m_builder.stage("Scale", "\\gamma_i n_i", {m_current, m_gamma, scaled}, {"×", "="});
    for (int row = 0; row < m_rows; ++row)
        for (int i = 0; i < m_columns; ++i)
            m_builder.step(Operation::Multiply, {cell(m_current, row, i), cell(m_gamma, 0, i)},
                           {scaled, row, i}, fmt::format("\\gamma_{} n{}", i, index(row, i)));
    m_current = scaled;
}

void NormWalk::shift()
{
    const int output =
        m_builder.matrix({"output", "Output", "\\gamma n + \\beta", CellRole::Result},
                         m_builder.at(m_x).rowLabels, m_builder.at(m_x).columnLabels);
    m_builder.stage("Shift", "\\gamma_i n_i + \\beta_i", {m_current, m_beta, output}, {"+", "="});
    for (int row = 0; row < m_rows; ++row)
        for (int i = 0; i < m_columns; ++i)
            m_builder.step(Operation::Sum, {cell(m_current, row, i), cell(m_beta, 0, i)},
                           {output, row, i},
                           fmt::format("\\gamma_{0} n{1} + \\beta_{0}", i, index(row, i)));
}

void NormWalk::walk()
{
    if (m_kind != Kind::Rms)
        centre();
    square();
    m_kind == Kind::StdEps ? sampleDeviation() : deviation();
    normalise();
    scale();
    if (m_kind != Kind::Rms)
        shift();
}

} // namespace

ExampleInputs layerNormInputs()
{
    const std::vector<std::string> dims = numbered("dim", 4);
    ExampleInputs inputs;
    inputs.example = "layer-norm";
    inputs.matrices = {inputMatrix("x", {"The", "cat"}, dims, {1, 2, 3, 4, 2, -2, 0, 8}),
                       inputMatrix("gamma", {"γ"}, dims, {1, 1, 2, 1}),
                       inputMatrix("beta", {"β"}, dims, {0, 0.5, 0, 0}),
                       inputNumber("epsilon", "ε", 1e-5)};
    inputs.switches = {{"rms", "RMSNorm", false, "norm"},
                       {"std-eps", "(x − mean) / (std + ε)", false, "norm"}};
    return inputs;
}

WorkedExample workLayerNorm(const ExampleInputs& inputs)
{
    if (inputs.isOn("rms") && inputs.isOn("std-eps"))
        throw Error("RMSNorm and (x - mean) / (std + eps) exclude each other", {},
                    "Turn one of them off");
    const Kind kind = inputs.isOn("rms")       ? Kind::Rms
                      : inputs.isOn("std-eps") ? Kind::StdEps
                                               : Kind::Layer;
    ExampleBuilder builder(inputs.example, kind == Kind::Rms ? "RMSNorm" : "LayerNorm");
    NormWalk(builder, inputs, kind).walk();
    return builder.finish();
}

} // namespace headscope
