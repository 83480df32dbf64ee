#include "resources/listings/listing.h"

void adamwStep(const AdamUpdate& u, std::span<const float> gradient, const AdamState& state)
{
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        const double g = gradient[i];
        double m = u.beta1 * state.firstMoment[i] + (1 - u.beta1) * g;      // [1, d] new_first
        double v = u.beta2 * state.secondMoment[i] + (1 - u.beta2) * g * g; // [1, d] new_second
        double mHat = m / (1 - std::pow(u.beta1, u.step));          // [1, d] corrected_first
        double vHat = v / (1 - std::pow(u.beta2, u.step));          // [1, d] corrected_second
        double root = std::sqrt(vHat);                              // [1, d] roots
        double decayed = state.weights[i] * (1 - u.rate * u.decay); // [1, d] decayed
        state.weights[i] =
            float(decayed - u.rate * mHat / (root + u.epsilon)); // [1, d] new_weights
        state.firstMoment[i] = float(m);
        state.secondMoment[i] = float(v);
    }
}
