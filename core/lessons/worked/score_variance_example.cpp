#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/lessons/worked/example_builder.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Mean of a number and of its square over a sample.
struct Moments
{
    double mean = 0.0;
    double square = 0.0;

    void add(double value)
    {
        mean += value;
        square += value * value;
    }

    void divideBy(double count)
    {
        mean /= count;
        square /= count;
    }

    double variance() const { return square - mean * mean; }
};

/// Random vectors q and k, entry by entry.
struct ScoreSample
{
    Moments query;
    Moments key;
    Moments product;
    Moments score;
};

struct SampleSettings
{
    int dimensions = 0;
    int pairs = 0;
    std::uint64_t seed = 0;
    double deviation = 1.0; ///< Standard deviation of an entry.
    bool isUniform = false;
};

/// Entry with mean 0: normal, or uniform between -sqrt(3) and sqrt(3) deviations.
double entry(Random& random, const SampleSettings& settings)
{
    const double unit =
        settings.isUniform ? std::sqrt(3.0) * (2.0 * random.uniform() - 1.0) : random.normal();
    return settings.deviation * unit;
}

ScoreSample sampled(const SampleSettings& settings)
{
    Random random(settings.seed);
    ScoreSample sample;
    for (int pair = 0; pair < settings.pairs; ++pair) {
        double score = 0.0;
        for (int i = 0; i < settings.dimensions; ++i) {
            const double q = entry(random, settings);
            const double k = entry(random, settings);
            sample.query.add(q);
            sample.key.add(k);
            sample.product.add(q * k);
            score += q * k;
        }
        sample.score.add(score);
    }
    const double entries = static_cast<double>(settings.pairs) * settings.dimensions;
    for (Moments* each : {&sample.query, &sample.key, &sample.product})
        each->divideBy(entries);
    sample.score.divideBy(settings.pairs);
    return sample;
}

int wholeNumber(const ExampleInputs& inputs, const char* name, int low, int high)
{
    const double value = inputs.matrix(name).values.front();
    if (value != std::round(value) || value < low || value > high)
        throw Error(fmt::format("{} is not a whole number from {} to {}", value, low, high), name,
                    fmt::format("Type a number such as {}", low));
    return static_cast<int>(value);
}

constexpr int kExact = 0;
constexpr int kSample = 1;

/// Var(q k) = d_k: the moments of one entry, of a product, and of the sum of d_k products; in
/// theory, and over a sample.
class VarianceWalk
{
public:
    VarianceWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int moments(std::string name, std::string title, const std::string& letter);
    void measured(int matrix, int row, const std::string& symbol, double value);
    void variance(int matrix, const std::string& letter);
    int ofEntry(std::string name, const std::string& letter, const Moments& sample);
    int ofProduct(int query, int key);
    int ofScore(int product);
    void scaled(int score);

    ExampleBuilder& m_builder;
    ScoreSample m_sample;
    int m_dimensions = -1;
    int m_variance = -1;
    std::string m_source; ///< "10000 pairs, seed 1".
};

VarianceWalk::VarianceWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
{
    m_dimensions = builder.input(inputs.matrix("d_k"), {"", "Head dimension", "d_k"});
    m_variance = builder.input(inputs.matrix("variance"), {"", "Variance of an entry", "\\sigma^2"});
    builder.input(inputs.matrix("pairs"), {"", "Sampled pairs"});
    builder.input(inputs.matrix("seed"), {"", "Seed"});
    const double variance = builder.value({m_variance, 0, 0});
    if (variance < 0.0)
        throw Error("a variance is never below 0", "variance", "Type a number such as 1");
    SampleSettings settings;
    settings.dimensions = wholeNumber(inputs, "d_k", 1, 512);
    settings.pairs = wholeNumber(inputs, "pairs", 2, 10000);
    settings.seed = static_cast<std::uint64_t>(wholeNumber(inputs, "seed", 0, 1000000));
    settings.deviation = std::sqrt(variance);
    settings.isUniform = inputs.isOn("uniform");
    m_sample = sampled(settings);
    m_source = message(fmt::format("Measured on {} random pairs of vectors, seed {}.",
                                   settings.pairs, settings.seed));
}

int VarianceWalk::moments(std::string name, std::string title, const std::string& letter)
{
    return m_builder.matrix({std::move(name), std::move(title), {}, CellRole::Result},
                            {fmt::format("E({})", letter), fmt::format("E({}²)", letter),
                             fmt::format("E({})²", letter), fmt::format("Var({})", letter)},
                            {message("exact"), message("sample")});
}

void VarianceWalk::measured(int matrix, int row, const std::string& symbol, double value)
{
    m_builder.step(
        {Operation::Copy, {constant(symbol, value)}, {matrix, row, kSample}, symbol, m_source});
}

/// Var = E(square) - E^2, in both columns.
void VarianceWalk::variance(int matrix, const std::string& letter)
{
    for (const int column : {kExact, kSample})
        m_builder.step({Operation::Square,
                        {cell(matrix, 0, column)},
                        {matrix, 2, column},
                        fmt::format("E({})^2", letter)});
    for (const int column : {kExact, kSample})
        m_builder.step({Operation::Subtract,
                        {cell(matrix, 1, column), cell(matrix, 2, column)},
                        {matrix, 3, column},
                        fmt::format("\\text{{Var}}({0}) = E({0}^2) - E({0})^2", letter)});
}

int VarianceWalk::ofEntry(std::string name, const std::string& letter, const Moments& sample)
{
    const bool isQuery = name == "query";
    const int matrix = moments(std::move(name), isQuery ? "Entry of q" : "Entry of k", letter);
    m_builder.stage(isQuery ? "Query entry" : "Key entry",
                    fmt::format("\\text{{Var}}({0}) = E({0}^2) - E({0})^2", letter),
                    {m_variance, matrix}, {"→"});
    m_builder.step({Operation::Copy,
                    {constant("0", 0.0, ExactNumber(0))},
                    {matrix, 0, kExact},
                    fmt::format("E({}) = 0", letter),
                    "Assumed: an entry is 0 on average."});
    measured(matrix, 0, fmt::format("E({})", letter), sample.mean);
    m_builder.step({Operation::Copy,
                    {cell(m_variance, 0, 0)},
                    {matrix, 1, kExact},
                    fmt::format("E({}^2) = \\sigma^2", letter),
                    "Assumed: with mean 0, the mean square is the variance."});
    measured(matrix, 1, fmt::format("E({}^2)", letter), sample.square);
    variance(matrix, letter);
    return matrix;
}

int VarianceWalk::ofProduct(int query, int key)
{
    const int matrix = moments("product", "Product of two entries", "q·k");
    m_builder.stage("Product", "\\text{Var}(q k) = E(q^2) E(k^2) - E(q)^2 E(k)^2",
                    {query, key, matrix}, {"·", "="});
    const std::string reason = "q and k are independent: the mean of a product is the product of "
                               "the means.";
    m_builder.step({Operation::Multiply,
                    {cell(query, 0, kExact), cell(key, 0, kExact)},
                    {matrix, 0, kExact},
                    "E(q k) = E(q) E(k)",
                    reason});
    measured(matrix, 0, "E(q k)", m_sample.product.mean);
    m_builder.step({Operation::Multiply,
                    {cell(query, 1, kExact), cell(key, 1, kExact)},
                    {matrix, 1, kExact},
                    "E(q^2 k^2) = E(q^2) E(k^2)",
                    reason});
    measured(matrix, 1, "E(q^2 k^2)", m_sample.product.square);
    variance(matrix, "q k");
    return matrix;
}

int VarianceWalk::ofScore(int product)
{
    const int matrix =
        m_builder.matrix({"score", "Score: sum of d_k products", {}, CellRole::Result},
                         {"E(q·k)", "Var(q·k)"}, {message("exact"), message("sample")});
    m_builder.stage("Dot product", "\\text{Var}(q \\cdot k) = d_k \\text{Var}(q_i k_i)",
                    {m_dimensions, product, matrix}, {"×", "="});
    m_builder.step({Operation::Multiply,
                    {cell(m_dimensions, 0, 0), cell(product, 0, kExact)},
                    {matrix, 0, kExact},
                    "E(q \\cdot k) = d_k E(q_i k_i)",
                    "The mean of a sum is the sum of the means."});
    measured(matrix, 0, "E(q \\cdot k)", m_sample.score.mean);
    m_builder.step({Operation::Multiply,
                    {cell(m_dimensions, 0, 0), cell(product, 3, kExact)},
                    {matrix, 1, kExact},
                    "\\text{Var}(q \\cdot k) = d_k \\text{Var}(q_i k_i)",
                    "The products are independent: their variances add."});
    measured(matrix, 1, "\\text{Var}(q \\cdot k)", m_sample.score.variance());
    return matrix;
}

void VarianceWalk::scaled(int score)
{
    const std::vector<std::string> columns = {message("exact"), message("sample")};
    const int deviation = m_builder.matrix(
        {"deviation", "Size of a score", "\\sqrt{\\text{Var}}"}, {"√Var(q·k)"}, columns);
    m_builder.stage("Size", "\\sqrt{\\text{Var}(q \\cdot k)}", {score, deviation}, {"→"});
    for (const int column : {kExact, kSample})
        m_builder.step({Operation::SquareRoot,
                        {cell(score, 1, column)},
                        {deviation, 0, column},
                        "\\sqrt{\\text{Var}(q \\cdot k)}"});
    const int scaled = m_builder.matrix({"scaled_variance", "Variance after scaling",
                                         "\\frac{\\text{Var}}{d_k}", CellRole::Result},
                                        {"Var(q·k/√d_k)"}, columns);
    m_builder.stage("Divide by √d_k",
                    "\\text{Var}(\\frac{q \\cdot k}{\\sqrt{d_k}}) = \\frac{\\text{Var}(q \\cdot "
                    "k)}{d_k}",
                    {score, m_dimensions, scaled}, {"÷", "="});
    for (const int column : {kExact, kSample})
        m_builder.step({Operation::Divide,
                        {cell(score, 1, column), cell(m_dimensions, 0, 0)},
                        {scaled, 0, column},
                        "\\frac{\\text{Var}(q \\cdot k)}{d_k}",
                        "A number divided by c has its variance divided by the square of c."});
}

void VarianceWalk::walk()
{
    const int query = ofEntry("query", "q", m_sample.query);
    const int key = ofEntry("key", "k", m_sample.key);
    scaled(ofScore(ofProduct(query, key)));
}

} // namespace

ExampleInputs scoreVarianceInputs()
{
    ExampleInputs inputs;
    inputs.example = "score-variance";
    inputs.matrices = {inputNumber("d_k", "d_k", 64), inputNumber("variance", "σ²", 1),
                       inputNumber("pairs", "pairs", 10000), inputNumber("seed", "seed", 1)};
    inputs.switches = {{"uniform", "Uniform entries", false}};
    return inputs;
}

WorkedExample workScoreVariance(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "Variance of a score");
    VarianceWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
