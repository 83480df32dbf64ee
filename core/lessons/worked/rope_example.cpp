#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Rotary positions of one query and one key, with the rotations of core/ops/rope.h.
class RopeWalk
{
public:
    RopeWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int frequencies();
    int places();
    int angles(int places, int frequencies);
    int turns(int angles, int which);
    int turned(int vector, int turns, int which);
    void score(int query, int key);

    int pairs() const { return m_dimensions / 2; }

    /// First and second dimension of a pair.
    int first(int pair) const { return m_isHalf ? pair : 2 * pair; }

    int second(int pair) const { return m_isHalf ? pair + pairs() : 2 * pair + 1; }

    ExampleBuilder& m_builder;
    bool m_isHalf;
    int m_q = -1;
    int m_k = -1;
    int m_positions = -1;
    int m_shift = -1;
    int m_base = -1;
    int m_dimensions = 0;
    std::vector<std::string> m_pairs; ///< "dims 0, 1".
};

RopeWalk::RopeWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
    , m_isHalf(inputs.isOn("half"))
{
    m_q = builder.input(inputs.matrix("q"), {"", "Query q", "q", CellRole::Query});
    m_k = builder.input(inputs.matrix("k"), {"", "Key k", "k", CellRole::Key});
    m_positions = builder.input(inputs.matrix("positions"), {"", "Positions"});
    m_shift = builder.input(inputs.matrix("shift"), {"", "Slide both by"});
    m_base = builder.input(inputs.matrix("base"), {"", "Base", "N"});
    m_dimensions = builder.at(m_q).columns();
    if (m_dimensions % 2 != 0 || builder.at(m_k).columns() != m_dimensions)
        throw ShapeError("q and k cannot be split into the same pairs", {},
                         "Give both the same even number of dimensions");
    if (builder.value({m_base, 0, 0}) <= 1.0)
        throw Error("the base is not above 1", {}, "Type a number such as 10000");
    for (int pair = 0; pair < pairs(); ++pair)
        m_pairs.push_back(message(fmt::format("dims {}, {}", first(pair), second(pair))));
}

int RopeWalk::frequencies()
{
    const int frequencies = m_builder.matrix(
        {"frequencies", "Frequencies", "\\theta_i = N^{-\\frac{2 i}{d}}"}, m_pairs, {"θ"});
    m_builder.stage("Speeds", "\\theta_i = N^{-\\frac{2 i}{d}}", {m_base, frequencies}, {"→"});
    for (int pair = 0; pair < pairs(); ++pair) {
        const double exponent = pair == 0 ? 0.0 : -2.0 * pair / m_dimensions;
        const std::string symbol =
            pair == 0 ? "0" : fmt::format("-\\frac{{{}}}{{{}}}", 2 * pair, m_dimensions);
        m_builder.step(
            Operation::Power,
            {cell(m_base, 0, 0),
             constant(symbol, exponent, ExactNumber(-2 * pair) / ExactNumber(m_dimensions))},
            {frequencies, pair, 0}, fmt::format("\\theta_{} = N^{{{}}}", pair, symbol));
    }
    return frequencies;
}

/// Positions after sliding.
int RopeWalk::places()
{
    const int places = m_builder.matrix({"places", "Positions after sliding"}, {"q", "k"}, {""});
    m_builder.stage("Slide", "", {m_positions, m_shift, places}, {"+", "="});
    for (int which = 0; which < 2; ++which)
        m_builder.step(Operation::Sum, {cell(m_positions, which, 0), cell(m_shift, 0, 0)},
                       {places, which, 0},
                       which == 0 ? "m = m_0 + \\text{shift}" : "n = n_0 + \\text{shift}");
    return places;
}

int RopeWalk::angles(int places, int frequencies)
{
    const int angles = m_builder.matrix({"angles", "Angles", "m \\theta_i"}, m_pairs, {"q", "k"});
    m_builder.stage("Angles", "m \\theta_i", {places, frequencies, angles}, {"×", "="});
    for (int which = 0; which < 2; ++which)
        for (int pair = 0; pair < pairs(); ++pair)
            m_builder.step(Operation::Multiply,
                           {cell(places, which, 0), cell(frequencies, pair, 0)},
                           {angles, pair, which},
                           fmt::format("{} \\cdot \\theta_{}", which == 0 ? "m" : "n", pair));
    return angles;
}

/// Matrix of cos, sin and -sin of each pair's angle, which rotates the query (0) or the key (1).
int RopeWalk::turns(int angles, int which)
{
    const std::string letter = which == 0 ? "m" : "n";
    const int turns = m_builder.matrix(
        {which == 0 ? "turn_q" : "turn_k", which == 0 ? "Rotation of q" : "Rotation of k"}, m_pairs,
        {"cos", "sin", "−sin"});
    m_builder.stage(which == 0 ? "Turn for q" : "Turn for k",
                    fmt::format("\\cos {0} \\theta_i, \\sin {0} \\theta_i", letter),
                    {angles, turns}, {"→"});
    for (int pair = 0; pair < pairs(); ++pair) {
        const Operand angle = cell(angles, pair, which);
        const std::string of = fmt::format("{} \\theta_{}", letter, pair);
        m_builder.step(Operation::Cosine, {angle}, {turns, pair, 0}, "\\cos " + of);
        m_builder.step(Operation::Sine, {angle}, {turns, pair, 1}, "\\sin " + of);
        m_builder.step(Operation::Multiply, {constant("-1", -1), cell(turns, pair, 1)},
                       {turns, pair, 2}, "-\\sin " + of);
    }
    return turns;
}

int RopeWalk::turned(int vector, int turns, int which)
{
    const std::string letter = which == 0 ? "q" : "k";
    const std::string place = which == 0 ? "m" : "n";
    const int turned = m_builder.matrix(
        {"turned_" + letter, which == 0 ? "Rotated query" : "Rotated key",
         fmt::format("R_{} {}", place, letter), which == 0 ? CellRole::Query : CellRole::Key},
        {letter}, m_builder.at(vector).columnLabels);
    m_builder.stage(which == 0 ? "Turn q" : "Turn k", fmt::format("R_{} {}", place, letter),
                    {vector, turns, turned}, {"×", "="});
    for (int pair = 0; pair < pairs(); ++pair) {
        const int a = first(pair);
        const int b = second(pair);
        const std::string of = fmt::format("{} \\theta_{}", place, pair);
        const std::vector<Operand> both = {cell(vector, 0, a), cell(vector, 0, b)};
        m_builder.dot(
            both, {cell(turns, pair, 0), cell(turns, pair, 2)}, {turned, 0, a},
            fmt::format("{0}'_{1} = {0}_{1} \\cos {3} - {0}_{2} \\sin {3}", letter, a, b, of));
        m_builder.dot(
            both, {cell(turns, pair, 1), cell(turns, pair, 0)}, {turned, 0, b},
            fmt::format("{0}'_{2} = {0}_{1} \\sin {3} + {0}_{2} \\cos {3}", letter, a, b, of));
    }
    return turned;
}

void RopeWalk::score(int query, int key)
{
    const int score = m_builder.matrix(
        {"score", "Score", "(R_m q) \\cdot (R_n k)", CellRole::Result}, {"q"}, {"k"});
    m_builder.stage("Score", "(R_m q) \\cdot (R_n k)", {query, key, score}, {"·", "="});
    m_builder.dot(m_builder.row(query, 0), m_builder.row(key, 0), {score, 0, 0},
                  "s = \\sum_i (R_m q)_i (R_n k)_i");
}

void RopeWalk::walk()
{
    const int speeds = frequencies();
    const int angle = angles(places(), speeds);
    const int forQuery = turns(angle, 0);
    const int query = turned(m_q, forQuery, 0);
    const int forKey = turns(angle, 1);
    score(query, turned(m_k, forKey, 1));
}

} // namespace

ExampleInputs ropeInputs()
{
    const std::vector<std::string> dims = numbered("dim", 4);
    ExampleInputs inputs;
    inputs.example = "rope";
    inputs.matrices = {inputMatrix("q", {"q"}, dims, {1, 0, .5, .5}),
                       inputMatrix("k", {"k"}, dims, {1, 1, .5, 0}),
                       inputMatrix("positions", {"q", "k"}, {"position"}, {3, 1}),
                       inputNumber("shift", "shift", 0), inputNumber("base", "N", 10000)};
    inputs.switches = {{"half", "Half-split pairs", false}};
    return inputs;
}

WorkedExample workRope(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "Rotary positions");
    RopeWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
