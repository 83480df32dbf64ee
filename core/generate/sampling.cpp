#include "core/generate/sampling.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace headscope {

namespace {

void check(std::span<const float> logits, const SamplingSettings& settings)
{
    const char* const where = "sampling";
    if (logits.empty())
        throw ShapeError("no logits", where);
    if (!(settings.temperature >= 0.0) || !std::isfinite(settings.temperature))
        throw Error(fmt::format("a temperature of {}", settings.temperature), where,
                    "Give 0 (greedy) or more");
    if (settings.topK < 0)
        throw Error(fmt::format("a top-k of {}", settings.topK), where, "Give 0 (all) or more");
    if (!(settings.topP > 0.0 && settings.topP <= 1.0))
        throw Error(fmt::format("a top-p of {}", settings.topP), where,
                    "Give more than 0 and at most 1");
    if (std::any_of(logits.begin(), logits.end(), [](float x) { return std::isnan(x); }))
        throw Error("a logit is not a number", where, "The model's weights may be damaged");
}

/// The k-th largest logit: everything below is removed, so ties at the border stay.
float borderOfTopK(std::span<const float> logits, int topK)
{
    std::vector<float> sorted(logits.begin(), logits.end());
    const auto border = sorted.begin() + (topK - 1);
    std::nth_element(sorted.begin(), border, sorted.end(), std::greater<>());
    return *border;
}

void normalise(std::vector<double>& weights)
{
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights)
        weight /= sum;
}

/// Keeps the most probable tokens until their mass reaches p (Holtzman et al. 2020).
void keepTopP(std::vector<double>& probabilities, double topP)
{
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return probabilities[a] > probabilities[b];
    });
    double mass = 0.0;
    for (const std::size_t token : order) {
        if (mass >= topP)
            probabilities[token] = 0.0;
        mass += probabilities[token];
    }
    normalise(probabilities);
}

std::vector<float> onlyLargest(std::span<const float> logits)
{
    std::vector<float> probabilities(logits.size());
    const auto largest = std::max_element(logits.begin(), logits.end());
    probabilities[static_cast<std::size_t>(largest - logits.begin())] = 1.0F;
    return probabilities;
}

} // namespace

std::vector<float> samplingDistribution(std::span<const float> logits,
                                        const SamplingSettings& settings)
{
    check(logits, settings);
    const float largest = *std::max_element(logits.begin(), logits.end());
    if (settings.temperature == 0.0 || std::isinf(largest))
        return onlyLargest(logits);
    const bool limited =
        settings.topK > 0 && static_cast<std::size_t>(settings.topK) < logits.size();
    const float border = limited ? borderOfTopK(logits, settings.topK) : -INFINITY;
    std::vector<double> weights(logits.size());
    for (std::size_t token = 0; token < logits.size(); ++token)
        if (logits[token] >= border)
            weights[token] =
                std::exp((static_cast<double>(logits[token]) - static_cast<double>(largest)) /
                         settings.temperature);
    normalise(weights);
    if (settings.topP < 1.0)
        keepTopP(weights, settings.topP);
    return {weights.begin(), weights.end()};
}

TokenId sample(std::span<const float> probabilities, Random& random)
{
    return sampleAt(probabilities, random.uniform());
}

TokenId sampleAt(std::span<const float> probabilities, double uniform)
{
    if (probabilities.empty())
        throw ShapeError("no probabilities", "sample");
    double sum = 0.0;
    std::size_t last = 0;
    for (std::size_t token = 0; token < probabilities.size(); ++token) {
        if (probabilities[token] <= 0.0F)
            continue;
        sum += static_cast<double>(probabilities[token]);
        last = token;
        if (sum > uniform)
            break;
    }
    return static_cast<TokenId>(last);
}

} // namespace headscope
