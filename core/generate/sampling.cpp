#include "core/generate/sampling.h"

#include "core/base/error.h"
#include "core/tensor/largest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <string>

namespace headscope {

namespace {

constexpr const char* kWhere = "sampling";

[[noreturn]] void refuse(const char* setting, double value, const std::string& advice)
{
    throw Error(fmt::format("a {} of {}", setting, value), kWhere, advice);
}

/// Rejects NaN as too small.
void checkAtLeast(const char* setting, double value, double least, const char* meaning)
{
    if (!(value >= least) || !std::isfinite(value))
        refuse(setting, value, fmt::format("Use {}{} or more", least, meaning));
}

/// Requires 0 < value <= 1.
void checkMass(const char* setting, double value)
{
    if (!(value > 0.0))
        refuse(setting, value, "Use a number above 0, such as 0.01");
    if (value > 1.0)
        refuse(setting, value, "Use 1 (all tokens) or less");
}

/// Index of the largest logit, all of which must be numbers.
std::size_t checkedLargest(std::span<const float> logits)
{
    if (logits.empty())
        throw ShapeError("no logits", kWhere);
    bool allNumbers = true;
    for (const float logit : logits) // to the end, in vectors
        allNumbers = allNumbers & (logit == logit);
    if (!allNumbers)
        throw Error("a logit is not a number", kWhere, "The model's weights may be damaged");
    return static_cast<std::size_t>(largestIndex(logits));
}

/// The k-th largest logit: everything below is removed, so ties at the boundary remain.
double borderOfTopK(std::vector<double> logits, int topK)
{
    const auto border = logits.begin() + (topK - 1);
    std::nth_element(logits.begin(), border, logits.end(), std::greater<>());
    return *border;
}

void normalise(std::vector<double>& weights)
{
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights)
        weight /= sum;
}

/// Calls take(index) by increasing key, of equal ones the lower index first, until it returns false.
/// Sorts no further than that: the few tokens that are kept stand among hundreds of thousands.
template<class Take>
void takeByKey(const std::vector<double>& keys, Take take)
{
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto isBefore = [&](std::size_t a, std::size_t b) {
        return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
    };
    auto next = order.begin();
    for (std::ptrdiff_t step = 256; next != order.end(); step *= 4) {
        const auto end = next + std::min(step, order.end() - next);
        std::nth_element(next, end - 1, order.end(), isBefore);
        std::sort(next, end, isBefore);
        for (; next != end; ++next)
            if (!take(*next))
                return;
    }
}

/// Keeps the most probable tokens until their mass reaches p (Holtzman et al. 2020).
void keepTopP(std::vector<double>& probabilities, double topP)
{
    std::vector<double> keys(probabilities.size());
    std::transform(probabilities.begin(), probabilities.end(), keys.begin(), std::negate<>());
    std::vector<double> kept(probabilities.size());
    double mass = 0.0;
    takeByKey(keys, [&](std::size_t token) {
        kept[token] = probabilities[token];
        mass += probabilities[token];
        return mass < topP;
    });
    probabilities = std::move(kept);
    normalise(probabilities);
}

void keepMinP(std::vector<double>& probabilities, double minP)
{
    const double border = minP * *std::max_element(probabilities.begin(), probabilities.end());
    for (double& probability : probabilities)
        if (probability < border)
            probability = 0.0;
    normalise(probabilities);
}

/// Keeps the tokens whose surprisal differs least from the entropy until their mass reaches p; ties
/// with the last one remain (Meister et al. 2023, section 4).
void keepTypical(std::vector<double>& probabilities, double typicalP)
{
    double entropy = 0.0;
    for (const double p : probabilities)
        entropy -= p > 0.0 ? p * std::log(p) : 0.0;
    std::vector<double> distances(probabilities.size());
    std::transform(probabilities.begin(), probabilities.end(), distances.begin(),
                   [&](double p) { return std::abs(-std::log(p) - entropy); });
    double mass = 0.0;
    double border = 0.0;
    takeByKey(distances, [&](std::size_t token) {
        if (probabilities[token] == 0.0)
            return false;
        mass += probabilities[token];
        border = distances[token];
        return mass < typicalP;
    });
    for (std::size_t token = 0; token < probabilities.size(); ++token)
        if (distances[token] > border)
            probabilities[token] = 0.0;
    normalise(probabilities);
}

std::vector<float> onlyOne(std::size_t token, std::size_t vocabulary)
{
    std::vector<float> probabilities(vocabulary);
    probabilities[token] = 1.0F;
    return probabilities;
}

/// Softmax at a temperature, over the logits that top-k keeps.
std::vector<double> warmed(const std::vector<double>& logits, const SamplingSettings& settings)
{
    const double largest = *std::max_element(logits.begin(), logits.end());
    const bool limited =
        settings.topK > 0 && static_cast<std::size_t>(settings.topK) < logits.size();
    const double border = limited ? borderOfTopK(logits, settings.topK) : -INFINITY;
    std::vector<double> weights(logits.size());
    for (std::size_t token = 0; token < logits.size(); ++token)
        if (logits[token] >= border)
            weights[token] = std::exp((logits[token] - largest) / settings.temperature);
    normalise(weights);
    return weights;
}

} // namespace

void validate(const SamplingSettings& settings)
{
    if (!(settings.repetitionPenalty > 0.0) || !std::isfinite(settings.repetitionPenalty))
        refuse("repetition penalty", settings.repetitionPenalty,
               "Use a number above 0; 1 has no effect");
    checkAtLeast("temperature", settings.temperature, 0.0, " (greedy)");
    checkAtLeast("top-k", settings.topK, 0.0, " (all)");
    checkMass("top-p", settings.topP);
    checkAtLeast("min-p", settings.minP, 0.0, " (all)");
    if (settings.minP > 1.0)
        refuse("min-p", settings.minP, "Use 1 or less");
    checkMass("typical-p", settings.typicalP);
}

void penaliseRepetition(std::span<double> logits, std::span<const TokenId> previous, double penalty)
{
    std::vector<TokenId> once(previous.begin(), previous.end());
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (const TokenId id : once) {
        if (id < 0 || static_cast<std::size_t>(id) >= logits.size())
            continue;
        double& logit = logits[static_cast<std::size_t>(id)];
        logit = logit > 0.0 ? logit / penalty : logit * penalty;
    }
}

std::vector<float> samplingDistribution(std::span<const float> logits,
                                        const SamplingSettings& settings,
                                        std::span<const TokenId> previous)
{
    validate(settings);
    const std::size_t largest = checkedLargest(logits);
    const bool takesLargest = settings.temperature == 0.0 || std::isinf(logits[largest]);
    const bool penalised = settings.repetitionPenalty != 1.0;
    if (takesLargest && !penalised)
        return onlyOne(largest, logits.size());
    std::vector<double> scores(logits.begin(), logits.end());
    if (penalised)
        penaliseRepetition(scores, previous, settings.repetitionPenalty);
    if (takesLargest)
        return onlyOne(static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin()),
                       scores.size());
    std::vector<double> probabilities = warmed(scores, settings);
    if (settings.topP < 1.0)
        keepTopP(probabilities, settings.topP);
    if (settings.minP > 0.0)
        keepMinP(probabilities, settings.minP);
    if (settings.typicalP < 1.0)
        keepTypical(probabilities, settings.typicalP);
    return {probabilities.begin(), probabilities.end()};
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
