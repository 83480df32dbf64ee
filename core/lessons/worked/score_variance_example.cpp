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

/// Matrices of the moments of one random number, each [1, exact and sample].
struct MomentMatrices
{
    int mean = -1;
    int square = -1;
    int squaredMean = -1;
    int variance = -1;
};

/// Var(q k) = d_k: the moments of one entry, of a product, and of the sum of d_k products; in
/// theory, and over a sample.
class VarianceWalk
{
public:
    VarianceWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int quantity(std::string name, std::string title, std::string formula,
                 CellRole role = CellRole::Plain);
    MomentMatrices moments(const std::string& suffix, const std::string& text,
                           const std::string& latex);
    void measured(int matrix, double value);
    void variance(const MomentMatrices& of);
    MomentMatrices ofEntry(const std::string& letter, const Moments& sample);
    MomentMatrices ofProduct(const MomentMatrices& query, const MomentMatrices& key);
    void product(int first, int second, int result, const std::string& stage,
                 const std::string& reason, double sample);
    int ofScore(const MomentMatrices& product);
    void size(int variance);
    void scaled(int variance);

    ExampleBuilder& m_builder;
    ScoreSample m_sample;
    int m_dimensions = -1;
    int m_variance = -1;
    std::string m_source; ///< "Measured on 10000 random pairs of vectors, seed 1."
};

VarianceWalk::VarianceWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
{
    m_dimensions = builder.input(inputs.matrix("d_k"), {"", "Head dimension", "d_k"});
    m_variance =
        builder.input(inputs.matrix("variance"), {"", "Variance of an entry", "\\sigma^2"});
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

int VarianceWalk::quantity(std::string name, std::string title, std::string formula, CellRole role)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula), role}, {""},
                            {message("exact"), message("sample")});
}

MomentMatrices VarianceWalk::moments(const std::string& suffix, const std::string& text,
                                     const std::string& latex)
{
    const std::string squared = text.size() > 1 ? "(" + text + ")²" : text + "²";
    return {quantity("mean_" + suffix, "E(" + text + ")", "E(" + latex + ")"),
            quantity("square_" + suffix, "E(" + squared + ")", "E(" + latex + "^2)"),
            quantity("squared_mean_" + suffix, "E(" + text + ")²", "E(" + latex + ")^2"),
            quantity("variance_" + suffix, fmt::format("Variance of {}", text),
                     "\\text{Var}(" + latex + ")", CellRole::Result)};
}

void VarianceWalk::measured(int matrix, double value)
{
    const std::string symbol = m_builder.at(matrix).formula;
    m_builder.step(Operation::Copy, {constant(symbol, value)}, {matrix, 0, kSample}, symbol,
                   m_source);
}

/// Var = E(square) - E^2, in both columns.
void VarianceWalk::variance(const MomentMatrices& of)
{
    for (const int column : {kExact, kSample})
        m_builder.step(Operation::Square, {cell(of.mean, 0, column)}, {of.squaredMean, 0, column},
                       m_builder.at(of.squaredMean).formula);
    for (const int column : {kExact, kSample})
        m_builder.step(
            Operation::Subtract, {cell(of.square, 0, column), cell(of.squaredMean, 0, column)},
            {of.variance, 0, column},
            fmt::format("{} = {} - {}", m_builder.at(of.variance).formula,
                        m_builder.at(of.square).formula, m_builder.at(of.squaredMean).formula));
}

MomentMatrices VarianceWalk::ofEntry(const std::string& letter, const Moments& sample)
{
    const MomentMatrices of = moments(letter, letter, letter);
    m_builder.stage(letter == "q" ? "Query entry" : "Key entry",
                    fmt::format("\\text{{Var}}({0}) = E({0}^2) - E({0})^2", letter),
                    {m_variance, of.square, of.mean, of.squaredMean, of.variance},
                    {"→", "−", "→", "="});
    m_builder.step(Operation::Copy, {cell(m_variance, 0, 0)}, {of.square, 0, kExact},
                   fmt::format("E({}^2) = \\sigma^2", letter),
                   "Assumed: with mean 0, the mean square is the variance.");
    measured(of.square, sample.square);
    m_builder.step(Operation::Copy, {constant("0", 0)}, {of.mean, 0, kExact},
                   fmt::format("E({}) = 0", letter), "Assumed: an entry is 0 on average.");
    measured(of.mean, sample.mean);
    variance(of);
    return of;
}

/// Stage of a mean of products: in theory first times second, measured in the sample.
void VarianceWalk::product(int first, int second, int result, const std::string& stage,
                           const std::string& reason, double sample)
{
    const auto formula = [this](int matrix) { return m_builder.at(matrix).formula; };
    const std::string whole =
        fmt::format("{} = {} \\cdot {}", formula(result), formula(first), formula(second));
    m_builder.stage(stage, whole, {first, second, result}, {"×", "="});
    m_builder.step(Operation::Multiply, {cell(first, 0, 0), cell(second, 0, 0)},
                   {result, 0, kExact}, whole, reason);
    measured(result, sample);
}

MomentMatrices VarianceWalk::ofProduct(const MomentMatrices& query, const MomentMatrices& key)
{
    const MomentMatrices of = moments("product", "q·k", "q k");
    const char* reason = "q and k are independent: the mean of a product is the product of the "
                         "means.";
    product(query.mean, key.mean, of.mean, "Mean of a product", reason, m_sample.product.mean);
    product(query.square, key.square, of.square, "Mean square", reason, m_sample.product.square);
    m_builder.stage("Variance of a product", "\\text{Var}(q k) = E(q^2 k^2) - E(q k)^2",
                    {of.square, of.mean, of.squaredMean, of.variance}, {"−", "→", "="});
    variance(of);
    return of;
}

int VarianceWalk::ofScore(const MomentMatrices& of)
{
    const int mean = quantity("mean_score", "Mean of a score", "E(q \\cdot k)");
    const int variance = quantity("variance_score", "Variance of a score",
                                  "\\text{Var}(q \\cdot k)", CellRole::Result);
    product(m_dimensions, of.mean, mean, "Mean of the sum",
            "The mean of a sum is the sum of the means.", m_sample.score.mean);
    product(m_dimensions, of.variance, variance, "Variance of the sum",
            "The products are independent: their variances add.", m_sample.score.variance());
    return variance;
}

void VarianceWalk::size(int variance)
{
    const std::string formula = "\\sqrt{\\text{Var}(q \\cdot k)}";
    const int size = quantity("size", "Size of a score", formula);
    m_builder.stage("Size", formula, {variance, size}, {"→"});
    for (const int column : {kExact, kSample})
        m_builder.step(Operation::SquareRoot, {cell(variance, 0, column)}, {size, 0, column},
                       formula);
}

void VarianceWalk::scaled(int variance)
{
    const std::string formula = "\\frac{\\text{Var}(q \\cdot k)}{d_k}";
    const int scaled =
        quantity("scaled_variance", "Variance after scaling", formula, CellRole::Result);
    m_builder.stage("Divide by √d_k", "\\text{Var}(\\frac{q \\cdot k}{\\sqrt{d_k}}) = " + formula,
                    {variance, m_dimensions, scaled}, {"÷", "="});
    for (const int column : {kExact, kSample})
        m_builder.step(Operation::Divide, {cell(variance, 0, column), cell(m_dimensions, 0, 0)},
                       {scaled, 0, column}, formula,
                       "A number divided by c has its variance divided by the square of c.");
}

void VarianceWalk::walk()
{
    const MomentMatrices query = ofEntry("q", m_sample.query);
    const MomentMatrices key = ofEntry("k", m_sample.key);
    const int variance = ofScore(ofProduct(query, key));
    size(variance);
    scaled(variance);
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
