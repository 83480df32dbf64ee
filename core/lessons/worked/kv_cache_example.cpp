#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/lessons/worked/matrix_steps.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

enum Work { kComputed, kRead, kRecomputed, kBytes };

/// Decoding with a key-value cache: at each position one query, one new key and value, and
/// attention over the cached rows.
class CacheWalk
{
public:
    CacheWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int projection(const ExampleInputs& inputs, const char* name, ProductPlan& plan,
                   MatrixStyle style);
    void projectToken(const ProductPlan& plan, int result, int token);
    int scores(int token);
    int weights(int token, int scores);
    void weightRow(int scores, int maximum, int shifted, int exponentials);
    void blend(int token, int weights);
    void count(int token);
    void total();
    std::vector<std::string> seen(int token) const;
    std::string title(const char* what, int token) const;

    ExampleBuilder& m_builder;
    std::vector<std::string> m_tokens;
    ProductPlan m_toQuery;
    ProductPlan m_toKey;
    ProductPlan m_toValue;
    int m_x = -1;
    int m_sizes = -1;
    int m_q = -1;
    int m_k = -1;
    int m_v = -1;
    int m_output = -1;
    int m_work = -1;
};

CacheWalk::CacheWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
    , m_tokens(inputs.matrix("x").rowLabels)
{
    m_x = builder.input(inputs.matrix("x"), {"", "Input x", "x"});
    m_q = projection(inputs, "W_Q", m_toQuery, {"Q", "Queries Q", "x W_Q", CellRole::Query});
    m_k = projection(inputs, "W_K", m_toKey, {"K", "Cached keys K", "x W_K", CellRole::Key});
    m_v = projection(inputs, "W_V", m_toValue, {"V", "Cached values V", "x W_V", CellRole::Value});
    m_sizes = builder.input(inputs.matrix("sizes"), {"", "Sizes of the model"});
    for (const double size : builder.at(m_sizes).values)
        if (size < 1.0 || size != std::round(size))
            throw Error(fmt::format("{} is not a number of layers, heads or bytes", size), "sizes",
                        "Type a whole number such as 1");
    m_output = builder.matrix({"output", "Output", "A V", CellRole::Result}, m_tokens,
                              builder.at(m_v).columnLabels);
    m_work = builder.matrix(
        {"work", "Work and memory"}, m_tokens,
        {message("computed"), message("read"), message("recomputed without"), message("bytes")});
}

/// The matrix that the plan fills row by row.
int CacheWalk::projection(const ExampleInputs& inputs, const char* name, ProductPlan& plan,
                          MatrixStyle style)
{
    plan.left = m_x;
    plan.right = m_builder.input(inputs.matrix(name), {"", name, name});
    plan.cell = std::string(1, static_cast<char>(style.name.front() - 'A' + 'a'));
    plan.entry = "x";
    plan.formula = style.name + " = x " + name;
    if (m_builder.at(m_x).columns() != m_builder.at(plan.right).rows())
        throw ShapeError(fmt::format("{} does not have one row for each dimension of x", name));
    return m_builder.matrix(std::move(style), m_tokens, m_builder.at(plan.right).columnLabels);
}

std::string CacheWalk::title(const char* what, int token) const
{
    return fmt::format("Position {}: {}", token, what);
}

std::vector<std::string> CacheWalk::seen(int token) const
{
    return {m_tokens.begin(), m_tokens.begin() + token + 1};
}

void CacheWalk::projectToken(const ProductPlan& plan, int result, int token)
{
    const char* what = result == m_q ? "query" : result == m_k ? "key" : "value";
    m_builder.stage(title(what, token), plan.formula, {m_x, plan.right, result}, {"×", "="});
    productRow(m_builder, plan, token, result);
}

int CacheWalk::scores(int token)
{
    const std::vector<std::string> row = {m_tokens[static_cast<std::size_t>(token)]};
    const int products = m_builder.matrix(
        {fmt::format("products_{}", token), "Scores", "q K^\\top"}, row, seen(token));
    const int scores = m_builder.matrix(
        {fmt::format("scores_{}", token), "Scaled", "\\frac{q K^\\top}{\\sqrt{d_k}}"}, row,
        seen(token));
    m_builder.stage(title("scores", token), "\\frac{q K^\\top}{\\sqrt{d_k}}",
                    {m_q, m_k, products, scores}, {"·", "=", "→"});
    const Operand root = rootConstant("\\sqrt{d_k}", m_builder.at(m_k).columns());
    for (int key = 0; key <= token; ++key) {
        m_builder.dot(m_builder.row(m_q, token), m_builder.row(m_k, key), {products, 0, key},
                      fmt::format("s_{{{}}} = \\sum_i q_i \\cdot k_{{{}, i}}", key, key));
        m_builder.step(Operation::Divide, {cell(products, 0, key), root}, {scores, 0, key},
                       fmt::format("z_{{{0}}} = \\frac{{s_{{{0}}}}}{{\\sqrt{{d_k}}}}", key));
    }
    return scores;
}

void CacheWalk::weightRow(int scores, int maximum, int shifted, int exponentials)
{
    m_builder.step(Operation::Maximum, m_builder.row(scores, 0), {maximum, 0, 0},
                   "c = \\max_j z_j");
    for (int key = 0; key < m_builder.at(scores).columns(); ++key) {
        m_builder.step(Operation::Subtract, {cell(scores, 0, key), cell(maximum, 0, 0)},
                       {shifted, 0, key}, fmt::format("t_{{{0}}} = z_{{{0}}} - c", key));
        m_builder.step(Operation::Exponential, {cell(shifted, 0, key)}, {exponentials, 0, key},
                       fmt::format("e^{{t_{{{}}}}}", key));
    }
}

int CacheWalk::weights(int token, int scores)
{
    const std::vector<std::string> row = m_builder.at(scores).rowLabels;
    const auto add = [&](const char* name, const char* label, std::vector<std::string> columns,
                         CellRole role = CellRole::Plain) {
        return m_builder.matrix({fmt::format("{}_{}", name, token), label, {}, role}, row,
                                std::move(columns));
    };
    const int maximum = add("maximum", "Largest", {message("max")});
    const int shifted = add("shifted", "Minus the largest", seen(token));
    const int exponentials = add("exponentials", "Exponentials", seen(token));
    const int sums = add("sums", "Sum", {message("sum")});
    const int weights = add("weights", "Weights", seen(token), CellRole::Weight);
    m_builder.stage(title("softmax", token), "a_j = \\frac{e^{z_j - c}}{\\sum_i e^{z_i - c}}",
                    {scores, maximum, shifted, exponentials, sums, weights},
                    {"−", "=", "→", "÷", "="});
    weightRow(scores, maximum, shifted, exponentials);
    m_builder.step(Operation::Sum, m_builder.row(exponentials, 0), {sums, 0, 0},
                   "Z = \\sum_j e^{t_j}");
    for (int key = 0; key <= token; ++key)
        m_builder.step(Operation::Divide, {cell(exponentials, 0, key), cell(sums, 0, 0)},
                       {weights, 0, key},
                       fmt::format("a_{{{0}}} = \\frac{{e^{{t_{{{0}}}}}}}{{Z}}", key));
    return weights;
}

void CacheWalk::blend(int token, int weights)
{
    m_builder.stage(title("output", token), "o = a V", {weights, m_v, m_output}, {"×", "="});
    for (int column = 0; column < m_builder.at(m_output).columns(); ++column) {
        std::vector<Operand> values;
        for (int key = 0; key <= token; ++key)
            values.push_back(cell(m_v, key, column));
        m_builder.dot(m_builder.row(weights, 0), values, {m_output, token, column},
                      fmt::format("o_{{{0}}} = \\sum_j a_j \\cdot v_{{j, {0}}}", column));
    }
}

/// Keys and values as vectors, and the cache 2 L n h_kv d_k bytes.
void CacheWalk::count(int token)
{
    m_builder.stage(title("count", token), "2 \\cdot L \\cdot n \\cdot h_{kv} \\cdot d_k \\cdot b",
                    {m_sizes, m_work}, {"→"});
    const Operand two = constant("2", 2);
    m_builder.step(Operation::Copy, {two}, {m_work, token, kComputed}, "k, v",
                   "One key and one value are computed and added to the cache.");
    m_builder.step(Operation::Multiply, {two, constant("t", token)}, {m_work, token, kRead}, "2 t",
                   "The keys and values of all earlier positions are read from the cache.");
    m_builder.step(Operation::Multiply, {two, constant("t", token)}, {m_work, token, kRecomputed},
                   "2 t", "Without the cache, these keys and values would be computed again.");
    m_builder.step(Operation::Multiply,
                   {two, cell(m_sizes, 0, 0), constant("n", token + 1), cell(m_sizes, 0, 1),
                    constant("d_k", m_builder.at(m_k).columns()), cell(m_sizes, 0, 2)},
                   {m_work, token, kBytes}, "2 \\cdot L \\cdot n \\cdot h_{kv} \\cdot d_k \\cdot b",
                   "The cache grows by the same number of bytes at each position.");
}

void CacheWalk::total()
{
    const int total = m_builder.matrix({"total", "Keys and values computed", {}, CellRole::Result},
                                       {""}, {message("with cache"), message("without")});
    m_builder.stage("Total", "", {m_work, total}, {"→"});
    m_builder.step(Operation::Sum, m_builder.column(m_work, kComputed), {total, 0, 0},
                   "\\sum \\text{computed}");
    std::vector<Operand> all = m_builder.column(m_work, kComputed);
    for (const Operand& each : m_builder.column(m_work, kRecomputed))
        all.push_back(each);
    m_builder.step(Operation::Sum, std::move(all), {total, 0, 1},
                   "\\sum \\text{computed} + \\sum \\text{recomputed}");
}

void CacheWalk::walk()
{
    for (int token = 0; token < static_cast<int>(m_tokens.size()); ++token) {
        projectToken(m_toQuery, m_q, token);
        projectToken(m_toKey, m_k, token);
        projectToken(m_toValue, m_v, token);
        blend(token, weights(token, scores(token)));
        count(token);
    }
    total();
}

} // namespace

/// Q, K and V are those of the example "attention".
ExampleInputs kvCacheInputs()
{
    const std::vector<std::string> head = numbered("dim", 2);
    ExampleInputs inputs;
    inputs.example = "kv-cache-steps";
    inputs.matrices = {
        inputMatrix("x", {"The", "cat", "sat"}, numbered("dim", 3), {1, 0, 0, 0, 1, 0, 1, 1, 1}),
        inputMatrix("W_Q", numbered("dim", 3), head, {1, 0, 0, 1, 0, 0}),
        inputMatrix("W_K", numbered("dim", 3), head, {1, 1, 0, 1, 0, -2}),
        inputMatrix("W_V", numbered("dim", 3), head, {1, 0, 0, 1, -.5, -.5}),
        inputMatrix("sizes", {""}, {"layers L", "KV heads", "bytes b"}, {1, 1, 2})};
    return inputs;
}

WorkedExample workKvCache(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "The KV cache, position by position");
    CacheWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
