#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/lessons/worked/softmax_steps.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kMostDimensions = 16.0;

/// PE(p, 2i) = sin(p / N^(2i/d)), PE(p, 2i+1) = cos(p / N^(2i/d)) (Vaswani et al. 2017, section
/// 3.5).
class SinusoidWalk
{
public:
    SinusoidWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int exponents();
    int denominators(int exponents);
    int angles(int denominators);
    void waves(int angles);

    int pairs() const { return static_cast<int>(m_pairs.size()); }

    ExampleBuilder& m_builder;
    int m_positions = -1;
    int m_base = -1;
    int m_dimensions = -1;
    std::vector<std::string> m_pairs; ///< "dims 0, 1".
    std::vector<std::string> m_rows;  ///< "position 2".
};

SinusoidWalk::SinusoidWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
{
    m_positions = builder.input(inputs.matrix("positions"), {"", "Positions p", "p"});
    m_dimensions = builder.input(inputs.matrix("d"), {"", "Dimensions d", "d"});
    m_base = builder.input(inputs.matrix("base"), {"", "Base", "N"});
    const double d = builder.value({m_dimensions, 0, 0});
    if (d < 2.0 || d > kMostDimensions || std::fmod(d, 2.0) != 0.0)
        throw Error(fmt::format("d is {}, but sines and cosines come in pairs", d), {},
                    fmt::format("Type an even number from 2 to {}", kMostDimensions));
    if (builder.value({m_base, 0, 0}) <= 1.0)
        throw Error("the base is not above 1", {}, "Type a number such as 10000");
    for (int pair = 0; 2 * pair < static_cast<int>(d); ++pair)
        m_pairs.push_back(message(fmt::format("dims {}, {}", 2 * pair, 2 * pair + 1)));
    for (const double position : builder.at(m_positions).values)
        m_rows.push_back(message(fmt::format("position {}", position)));
}

int SinusoidWalk::exponents()
{
    const int exponents =
        m_builder.matrix({"exponents", "Exponents", "\\frac{2 i}{d}"}, m_pairs, {"2i/d"});
    m_builder.stage("Exponents", "\\frac{2 i}{d}", {m_dimensions, exponents}, {"→"});
    for (int pair = 0; pair < pairs(); ++pair)
        m_builder.step(
            Operation::Divide,
            {constant(fmt::format("2 \\cdot {}", pair), 2 * pair), cell(m_dimensions, 0, 0)},
            {exponents, pair, 0}, fmt::format("\\frac{{2 \\cdot {}}}{{d}}", pair));
    return exponents;
}

int SinusoidWalk::denominators(int exponents)
{
    const int denominators =
        m_builder.matrix({"denominators", "Denominators", "N^{\\frac{2 i}{d}}"}, m_pairs, {"N^"});
    m_builder.stage("Denominators", "N^{\\frac{2 i}{d}}", {m_base, exponents, denominators},
                    {"^", "="});
    for (int pair = 0; pair < pairs(); ++pair)
        m_builder.step(Operation::Power, {cell(m_base, 0, 0), cell(exponents, pair, 0)},
                       {denominators, pair, 0},
                       fmt::format("D_{0} = N^{{\\frac{{2 \\cdot {0}}}{{d}}}}", pair));
    return denominators;
}

int SinusoidWalk::angles(int denominators)
{
    const int angles =
        m_builder.matrix({"angles", "Angles", "\\frac{p}{N^{\\frac{2 i}{d}}}"}, m_rows, m_pairs);
    m_builder.stage("Angles", "\\frac{p}{N^{\\frac{2 i}{d}}}", {m_positions, denominators, angles},
                    {"÷", "="});
    for (int row = 0; row < m_builder.at(angles).rows(); ++row)
        for (int pair = 0; pair < pairs(); ++pair)
            m_builder.step(Operation::Divide,
                           {cell(m_positions, row, 0), cell(denominators, pair, 0)},
                           {angles, row, pair}, fmt::format("\\frac{{p}}{{D_{}}}", pair));
    return angles;
}

void SinusoidWalk::waves(int angles)
{
    const int encoding = m_builder.matrix({"PE", "Positional encoding", "PE", CellRole::Result},
                                          m_rows, numbered("dim", 2 * pairs()));
    m_builder.stage("Sine and cosine", "\\sin \\frac{p}{D_i}, \\cos \\frac{p}{D_i}",
                    {angles, encoding}, {"→"});
    for (int row = 0; row < m_builder.at(encoding).rows(); ++row)
        for (int column = 0; column < 2 * pairs(); ++column) {
            const bool isSine = column % 2 == 0;
            m_builder.step(isSine ? Operation::Sine : Operation::Cosine,
                           {cell(angles, row, column / 2)}, {encoding, row, column},
                           fmt::format("PE_{} = \\{} \\frac{{p}}{{D_{}}}",
                                       cellIndex(m_builder.at(encoding), row, column),
                                       isSine ? "sin" : "cos", column / 2));
        }
}

void SinusoidWalk::walk()
{
    waves(angles(denominators(exponents())));
}

} // namespace

ExampleInputs sinusoidalInputs()
{
    ExampleInputs inputs;
    inputs.example = "sinusoidal";
    inputs.matrices = {inputMatrix("positions", numbered("row", 3), {"p"}, {0, 1, 2}),
                       inputNumber("d", "d", 4), inputNumber("base", "N", 10000)};
    return inputs;
}

WorkedExample workSinusoidal(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "Sinusoidal positions");
    SinusoidWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
