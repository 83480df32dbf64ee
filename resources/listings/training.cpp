#include "resources/listings/listing.h"

#include <functional>
#include <numbers>

/// Loss of the next batch, and its gradient: forward and backward pass of the model.
using LossAndGradient = std::function<double(std::span<const float>, std::span<float>)>;

double rateAt(int step, int steps, double peak, int warmUp)
{
    if (step <= warmUp)
        return peak * step / warmUp;
    const double done = double(step - warmUp) / double(steps - warmUp);
    return peak * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

double train(std::vector<float>& weights, const LossAndGradient& lossOf, int steps, double peak,
             int warmUp)
{
    std::vector<float> gradient(weights.size()), first(weights.size()), second(weights.size());
    double loss = 0.0;
    for (int step = 1; step <= steps; ++step) {
        loss = lossOf(weights, gradient); // [] loss
        const double norm = std::sqrt(
            std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0)); // [] norm
        AdamUpdate update{.beta2 = 0.95, .decay = 0.1};
        update.step = step;
        update.rate = rateAt(step, steps, peak, warmUp);   // [] rate
        update.gradientScale = clipCoefficient(norm, 1.0); // [P] gradient
        adam(update, gradient, {weights, first, second});  // [P] new_weights
    }
    return loss;
}
