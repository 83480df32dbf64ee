#include "core/ops/batch_norm.h"

#include "core/base/error.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

void requireShapes(const BatchNormParameters& parameters, const BatchMoments& moments, TensorView x,
                   const char* name)
{
    if (!(parameters.epsilon >= 0.0F))
        throw ShapeError(fmt::format("{}: epsilon is {}", name, parameters.epsilon), {},
                         "Use a number of at least 0, such as 1e-5");
    const Shape channels{moments.mean.shape[0]};
    requireShape(x, {x.shape[0], channels[0]}, name, "x");
    requireShape(moments.variance, channels, name, "variance");
    requireShape(parameters.gamma, channels, name, "gamma");
    requireShape(parameters.beta, channels, name, "beta");
}

/// One channel of a batch, in double. No operator here allocates: training steps do not.
struct Channel
{
    Channel(const BatchNormParameters& parameters, const BatchMoments& moments,
            std::int64_t channel)
        : mean(moments.mean(channel))
        , inverseDeviation(
              1.0 / std::sqrt(double{moments.variance(channel)} + double{parameters.epsilon}))
        , gamma(parameters.gamma(channel))
        , beta(parameters.beta(channel))
    {
    }

    double normed(float value) const { return (double{value} - mean) * inverseDeviation; }

    double mean;
    double inverseDeviation;
    double gamma;
    double beta;
};

/// dx = gamma r (dy - [counted] (sum dy + n sum(dy n)) / count), n the normalised value and r the
/// inverse deviation; `count` 0: the moments are constants.
void channelBackward(const Channel& of, std::int64_t channel, const CountedRows& counted,
                     std::int64_t count, TensorView x, TensorView dy,
                     const BatchNormGradients& gradients)
{
    double shift = 0.0; // d loss / d beta
    double scale = 0.0; // d loss / d gamma
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        shift += double{dy(row, channel)};
        scale += double{dy(row, channel)} * of.normed(x(row, channel));
    }
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        const bool moves = count > 0 && counted.contains(row);
        const double through =
            moves ? (shift + of.normed(x(row, channel)) * scale) / static_cast<double>(count) : 0.0;
        gradients.x(row, channel) += static_cast<float>(of.gamma * of.inverseDeviation *
                                                        (double{dy(row, channel)} - through));
    }
    if (gradients.gamma)
        gradients.gamma(channel) += static_cast<float>(scale);
    if (gradients.beta)
        gradients.beta(channel) += static_cast<float>(shift);
}

void normBackwardOf(const BatchNormParameters& parameters, const BatchMoments& moments,
                    const CountedRows& counted, std::int64_t count, TensorView x, TensorView dy,
                    const BatchNormGradients& gradients)
{
    const char* const name = "batchNormBackward";
    requireShapes(parameters, moments, x, name);
    requireShape(dy, x.shape, name, "dy");
    requireShape(gradients.x, x.shape, name, "dx");
    for (std::int64_t channel = 0; channel < x.shape[1]; ++channel)
        channelBackward({parameters, moments, channel}, channel, counted, count, x, dy, gradients);
}

/// Mean over the counted rows of value(x) of one channel.
template<class Value>
double meanOf(TensorView x, std::int64_t channel, const CountedRows& counted, double count,
              const Value& value)
{
    double sum = 0.0;
    for (std::int64_t row = 0; row < x.shape[0]; ++row)
        sum += counted.contains(row) ? value(double{x(row, channel)}) : 0.0;
    return sum / count;
}

} // namespace

std::int64_t CountedRows::count() const
{
    return mask == nullptr ? rows
                           : rows - std::count(mask, mask + rows, static_cast<std::uint8_t>(0));
}

void batchMoments(TensorView x, const CountedRows& counted, MutableTensorView mean,
                  MutableTensorView variance)
{
    const char* const name = "batchMoments";
    const RowCount size = rowsOf(x, name, "x");
    requireShape(mean, {size.columns}, name, "mean");
    requireShape(variance, {size.columns}, name, "variance");
    const auto count = static_cast<double>(counted.count());
    if (counted.rows != size.rows || count == 0.0)
        throw ShapeError(fmt::format("{}: {} of {} rows count", name, count, size.rows));
    for (std::int64_t channel = 0; channel < size.columns; ++channel) {
        const double middle =
            meanOf(x, channel, counted, count, [](double value) { return value; });
        const double squares = meanOf(x, channel, counted, count, [middle](double value) {
            return (value - middle) * (value - middle);
        });
        mean(channel) = static_cast<float>(middle);
        variance(channel) = static_cast<float>(squares);
    }
}

void batchNorm(const BatchNormParameters& parameters, const BatchMoments& moments, TensorView x,
               MutableTensorView y)
{
    const char* const name = "batchNorm";
    requireShapes(parameters, moments, x, name);
    requireShape(y, x.shape, name, "y");
    for (std::int64_t channel = 0; channel < x.shape[1]; ++channel) {
        const Channel of(parameters, moments, channel);
        for (std::int64_t row = 0; row < x.shape[0]; ++row)
            y(row, channel) = static_cast<float>(of.normed(x(row, channel)) * of.gamma + of.beta);
    }
}

void fixedNormBackward(const BatchNormParameters& parameters, const BatchMoments& moments,
                       TensorView x, TensorView dy, const BatchNormGradients& gradients)
{
    normBackwardOf(parameters, moments, {}, 0, x, dy, gradients);
}

void batchNormBackward(const BatchNormParameters& parameters, const BatchMoments& moments,
                       const CountedRows& counted, TensorView x, TensorView dy,
                       const BatchNormGradients& gradients)
{
    normBackwardOf(parameters, moments, counted, counted.count(), x, dy, gradients);
}

} // namespace headscope
