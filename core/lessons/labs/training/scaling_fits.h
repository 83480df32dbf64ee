#pragma once

#include "core/experiments/power_law.h"

#include <string>
#include <vector>

namespace headscope {

/// A trained model as a point of the scaling laws.
struct ScalingPoint
{
    std::string label;
    double parameters = 0.0; ///< N, without embeddings.
    double tokens = 0.0;     ///< D, tokens trained on, each once.
    double loss = 0.0;       ///< Held-out loss in nats.

    double compute() const { return 6.0 * parameters * tokens; } ///< C in FLOP.
};

/// Which quantity a law is about.
enum class ScalingLaw { Size, Data, Compute };

/// Points that a law is fitted to. Size: the most tokens. Data: the largest model. Compute: the
/// points that no other beats with less compute. By ascending quantity.
std::vector<PowerLawPoint> scalingPoints(const std::vector<ScalingPoint>& trained, ScalingLaw law);

/// Exponent of a straight line through (ln x, ln L), the form L = (x0 / x)^a of Kaplan et al. 2020.
double straightExponent(const std::vector<PowerLawPoint>& points);

/// Published exponents. Kaplan et al. 2020, "Scaling Laws for Neural Language Models", equations
/// 1.1 to 1.3: L = (x0 / x)^a. Hoffmann et al. 2022, "Training Compute-Optimal Large Language
/// Models", equation 10: L = E + A N^-0.34 + B D^-0.28; its compute exponent follows from both.
struct PublishedExponents
{
    double kaplan = 0.0;
    double hoffmann = 0.0;
};

PublishedExponents publishedExponents(ScalingLaw law);

} // namespace headscope
