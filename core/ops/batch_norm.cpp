#include "core/ops/batch_norm.h"

#include "core/base/error.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope {

namespace {

std::vector<double> inverseDeviations(const BatchNormParameters& parameters,
                                      const BatchMoments& moments, const char* name)
{
    const std::int64_t channels = moments.mean.shape[0];
    if (!(parameters.epsilon >= 0.0F))
        throw ShapeError(fmt::format("{}: epsilon is {}", name, parameters.epsilon), {},
                         "Use a number of at least 0, such as 1e-5");
    requireShape(moments.variance, {channels}, name, "variance");
    requireShape(parameters.gamma, {channels}, name, "gamma");
    requireShape(parameters.beta, {channels}, name, "beta");
    std::vector<double> inverse;
    for (std::int64_t channel = 0; channel < channels; ++channel)
        inverse.push_back(
            1.0 / std::sqrt(double{moments.variance(channel)} + double{parameters.epsilon}));
    return inverse;
}

void requireChannels(TensorView rows, const BatchMoments& moments, const char* name,
                     const char* what)
{
    requireShape(rows, {rows.shape[0], moments.mean.shape[0]}, name, what);
}

/// Sums over all rows of dy, and of dy times the normalised value: d loss / d beta, d gamma.
struct ChannelSums
{
    std::vector<double> shift;
    std::vector<double> scale;
};

ChannelSums sumsOf(const BatchMoments& moments, const std::vector<double>& inverse, TensorView x,
                   TensorView dy)
{
    ChannelSums sums{std::vector<double>(inverse.size()), std::vector<double>(inverse.size())};
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        const float* const values = x[row].data;
        const float* const upstream = dy[row].data;
        for (std::size_t channel = 0; channel < inverse.size(); ++channel) {
            const double normed =
                (double{values[channel]} - double{moments.mean.data[channel]}) * inverse[channel];
            sums.shift[channel] += double{upstream[channel]};
            sums.scale[channel] += double{upstream[channel]} * normed;
        }
    }
    return sums;
}

void addTo(MutableTensorView gradient, const std::vector<double>& sums)
{
    for (std::size_t channel = 0; gradient && channel < sums.size(); ++channel)
        gradient.data[channel] += static_cast<float>(sums[channel]);
}

/// dx = gamma r (dy - [counted] (sum dy + n sum(dy n)) / count), n the normalised value and r the
/// inverse deviation; `count` 0: the moments are constants.
void normBackwardOf(const BatchNormParameters& parameters, const BatchMoments& moments,
                    const CountedRows& counted, std::int64_t count, TensorView x, TensorView dy,
                    const BatchNormGradients& gradients)
{
    const char* const name = "batchNormBackward";
    const std::vector<double> inverse = inverseDeviations(parameters, moments, name);
    requireChannels(x, moments, name, "x");
    requireShape(dy, x.shape, name, "dy");
    requireShape(gradients.x, x.shape, name, "dx");
    const ChannelSums sums = sumsOf(moments, inverse, x, dy);
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        const bool moves = count > 0 && counted.contains(row);
        const double part = moves ? 1.0 / static_cast<double>(count) : 0.0;
        for (std::size_t channel = 0; channel < inverse.size(); ++channel) {
            const auto at = static_cast<std::int64_t>(channel);
            const double normed =
                (double{x(row, at)} - double{moments.mean(at)}) * inverse[channel];
            const double through = part * (sums.shift[channel] + normed * sums.scale[channel]);
            gradients.x(row, at) += static_cast<float>(
                double{parameters.gamma(at)} * inverse[channel] * (double{dy(row, at)} - through));
        }
    }
    addTo(gradients.gamma, sums.scale);
    addTo(gradients.beta, sums.shift);
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
    std::vector<double> sums(static_cast<std::size_t>(size.columns));
    const auto addRows = [&](const auto& value) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::int64_t row = 0; row < size.rows; ++row) {
            for (std::size_t channel = 0; counted.contains(row) && channel < sums.size(); ++channel)
                sums[channel] += value(double{x[row].data[channel]}, channel);
        }
    };
    addRows([](double value, std::size_t) { return value; });
    for (std::size_t channel = 0; channel < sums.size(); ++channel)
        mean.data[channel] = static_cast<float>(sums[channel] / count);
    addRows([&](double value, std::size_t channel) {
        return std::pow(value - double{mean.data[channel]}, 2);
    });
    for (std::size_t channel = 0; channel < sums.size(); ++channel)
        variance.data[channel] = static_cast<float>(sums[channel] / count);
}

void batchNorm(const BatchNormParameters& parameters, const BatchMoments& moments, TensorView x,
               MutableTensorView y)
{
    const char* const name = "batchNorm";
    const std::vector<double> inverse = inverseDeviations(parameters, moments, name);
    requireChannels(x, moments, name, "x");
    requireShape(y, x.shape, name, "y");
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        for (std::size_t channel = 0; channel < inverse.size(); ++channel) {
            const auto at = static_cast<std::int64_t>(channel);
            y(row, at) = static_cast<float>((double{x(row, at)} - double{moments.mean(at)}) *
                                                inverse[channel] * double{parameters.gamma(at)} +
                                            double{parameters.beta(at)});
        }
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
