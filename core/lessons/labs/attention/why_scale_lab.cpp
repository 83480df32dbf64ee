#include "core/analysis/scores/pattern_scores.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/ops/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr int kBins = 41;
constexpr std::int64_t kGradientRows = 256;

/// Softmax rows of q.k for random vectors with one d_k.
struct ScoreSample
{
    std::vector<float> products; ///< Inputs of the softmax.
    double variance = 0.0;
    double entropy = 0.0;  ///< Nats, mean over the rows.
    double largest = 0.0;  ///< Mean of each row's largest weight.
    double gradient = 0.0; ///< Mean over rows of |d weights / d scores| (Frobenius).
};

double varianceOf(std::span<const float> values)
{
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : values) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(values.size());
    return squares / count - sum * sum / (count * count);
}

/// Norm |J| with J_ij = d w_i / d s_j, from the program's own backward pass of softmax, column by
/// column.
double gradientSize(const Tensor& pattern, std::int64_t keys)
{
    const std::int64_t rows =
        std::min<std::int64_t>(kGradientRows, static_cast<std::int64_t>(pattern.size()) / keys);
    const TensorView weights(pattern.data(), {rows, keys});
    std::vector<double> squares(static_cast<std::size_t>(rows), 0.0);
    for (std::int64_t key = 0; key < keys; ++key) {
        Tensor gradient({rows, keys});
        const MutableTensorView view = gradient.view();
        for (std::int64_t row = 0; row < rows; ++row)
            view(row, key) = 1.0F;
        softmaxBackward(weights, view, view);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t other = 0; other < keys; ++other)
                squares[static_cast<std::size_t>(row)] +=
                    static_cast<double>(view(row, other)) * static_cast<double>(view(row, other));
    }
    double sum = 0.0;
    for (const double square : squares)
        sum += std::sqrt(square);
    return sum / static_cast<double>(rows);
}

ScoreSample sampleOf(const AttentionInputs& inputs, AttentionBackend& backend)
{
    const Shape& shape = inputs.queries.shape;
    const std::int64_t tokens = shape[2];
    const Attended attended = attend(inputs, backend);
    const Tensor& pattern = attended.pattern;
    ScoreSample sample;
    const std::span<const float> products = attended.scores.values();
    sample.products.assign(products.begin(), products.end());
    sample.variance = varianceOf(products);
    for (std::int64_t row = 0; row < shape[0] * tokens; ++row) {
        const float* weights = pattern.data() + row * tokens;
        sample.largest += static_cast<double>(*std::max_element(weights, weights + tokens));
    }
    sample.largest /= static_cast<double>(shape[0] * tokens);
    for (std::int64_t b = 0; b < shape[0]; ++b)
        sample.entropy +=
            entropyOf(pattern.view()[b][0], true).mean / static_cast<double>(shape[0]);
    sample.gradient = gradientSize(pattern, tokens);
    return sample;
}

struct WithAndWithout
{
    ScoreSample plain;
    ScoreSample scaled;
};

/// Samples about `numbers` random numbers, so that every d_k takes the same time.
WithAndWithout samplesOf(std::int64_t dim, std::int64_t tokens, std::int64_t numbers,
                         AttentionBackend& backend)
{
    LayerOperands::Extents extents;
    extents.batch = std::clamp<std::int64_t>(numbers / (3 * tokens * dim), 4, 256);
    extents.tokens = tokens;
    extents.headDim = dim;
    const LayerOperands operands(extents, 5);
    AttentionInputs inputs = operands.inputs(false);
    WithAndWithout samples;
    samples.scaled = sampleOf(inputs, backend);
    inputs.scale = 1.0F;
    samples.plain = sampleOf(inputs, backend);
    return samples;
}

/// Histogram: fractions of the products in equal bins over [-reach, reach].
LabChart::Series histogram(const char* name, const std::vector<float>& products, double reach)
{
    LabChart::Series series;
    series.name = name;
    const double width = 2.0 * reach / kBins;
    series.y.assign(kBins, 0.0);
    for (int bin = 0; bin < kBins; ++bin)
        series.x.push_back(-reach + (bin + 0.5) * width);
    for (const float product : products) {
        const int bin =
            static_cast<int>(std::floor((static_cast<double>(product) + reach) / width));
        if (bin >= 0 && bin < kBins)
            series.y[static_cast<std::size_t>(bin)] += 1.0 / static_cast<double>(products.size());
    }
    return series;
}

LabPanel histogramPanel(const WithAndWithout& samples, std::int64_t dim)
{
    const double reach = 4.0 * std::sqrt(static_cast<double>(std::max<std::int64_t>(dim, 2)));
    LabChart chart{"input of the softmax", "fraction of all pairs"};
    chart.series = {histogram("q·k", samples.plain.products, reach),
                    histogram("q·k / √d_k", samples.scaled.products, reach)};
    return {"Dot products of random queries and keys",
            fmt::format("variance {:.1f} without scaling, {:.2f} with scaling",
                        samples.plain.variance, samples.scaled.variance),
            chart};
}

struct Sweep
{
    std::vector<double> dims;
    std::vector<WithAndWithout> samples;

    LabChart chart(const char* y, double (*value)(const ScoreSample&), std::int64_t dim) const
    {
        LabChart chart{"d_k", y, true};
        chart.mark = static_cast<double>(dim);
        chart.markText = fmt::format("d_k = {}", dim);
        LabChart::Series plain{"without scaling", dims};
        LabChart::Series scaled{"with scaling", dims, {}, true};
        for (const WithAndWithout& sample : samples) {
            plain.y.push_back(value(sample.plain));
            scaled.y.push_back(value(sample.scaled));
        }
        chart.series = {plain, scaled};
        return chart;
    }
};

Sweep sweepOf(std::int64_t tokens, AttentionBackend& backend, const std::stop_token& stop)
{
    Sweep sweep;
    for (std::int64_t dim = 1; dim <= 512; dim *= 2) {
        throwIfStopped(stop);
        sweep.dims.push_back(static_cast<double>(dim));
        sweep.samples.push_back(samplesOf(dim, tokens, 100'000, backend));
    }
    return sweep;
}

std::vector<LabNumber> numbersOf(const WithAndWithout& samples, std::int64_t dim,
                                 std::int64_t tokens)
{
    return {labNumber("d_k", "Head size", dim),
            labNumber("variance", "Variance of q·k", samples.plain.variance),
            labNumber("deviation", "Spread of q·k", std::sqrt(samples.plain.variance)),
            labNumber("variance_scaled", "Variance after scaling", samples.scaled.variance),
            labNumber("entropy_most", "Entropy of a uniform row",
                      std::log(static_cast<double>(tokens)), "nats"),
            labNumber("entropy_plain", "Entropy without scaling", samples.plain.entropy, "nats"),
            labNumber("entropy_scaled", "Entropy with scaling", samples.scaled.entropy, "nats"),
            labNumber("largest_plain", "Largest weight without scaling", samples.plain.largest),
            labNumber("largest_scaled", "Largest weight with scaling", samples.scaled.largest),
            labNumber("gradient_plain", "Gradient without scaling", samples.plain.gradient),
            labNumber("gradient_scaled", "Gradient with scaling", samples.scaled.gradient)};
}

} // namespace

LabResult runWhyScale(const LabSettings& settings, const LabContext& context,
                      const std::stop_token& stop)
{
    const std::int64_t dim = settings.integer("d_k");
    const std::int64_t tokens = settings.integer("keys");
    const auto backend = backendOf(context);
    const Sweep sweep = sweepOf(tokens, *backend, stop);
    const WithAndWithout samples = samplesOf(dim, tokens, 1'000'000, *backend);
    LabResult result;
    result.panels = {histogramPanel(samples, dim),
                     {"Entropy of the weights", "entropy of a softmax row, in nats",
                      sweep.chart(
                          "entropy", [](const ScoreSample& s) { return s.entropy; }, dim)},
                     {"Remaining gradient", "size of d weights / d scores",
                      sweep.chart(
                          "gradient", [](const ScoreSample& s) { return s.gradient; }, dim)}};
    result.numbers = numbersOf(samples, dim, tokens);
    result.sentence = fmt::format(
        "With d_k = {} the dot products have variance {:.1f}. Unscaled, one key takes {:.0f} % "
        "of the weight and the gradient is {:.3f}; divided by √{} it takes {:.0f} % and the "
        "gradient is {:.3f}.",
        dim, samples.plain.variance, 100.0 * samples.plain.largest, samples.plain.gradient, dim,
        100.0 * samples.scaled.largest, samples.scaled.gradient);
    return result;
}

} // namespace headscope
