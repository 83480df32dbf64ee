#include "core/ops/rope_frequencies.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

using Scaling = RopeSettings::Scaling;

[[noreturn]] void refuse(const std::string& problem, const std::string& advice)
{
    throw ShapeError("rope: " + problem, {}, advice);
}

void require(bool holds, const char* name, double value, const char* range)
{
    if (!holds)
        refuse(fmt::format("{} is {}", name, value), fmt::format("Set {} to {}", name, range));
}

void checkOriginalLength(const RopeSettings& settings)
{
    const bool needed = settings.scaling != Scaling::None && settings.scaling != Scaling::Linear;
    if (needed && settings.originalMaxLen < 1)
        refuse(fmt::format("the scaling needs the original context length, which is {}",
                           settings.originalMaxLen),
               "Set it to the number of tokens that the model was trained on");
}

void checkFactors(const char* name, const std::vector<double>& factors, std::int64_t pairs)
{
    if (std::ssize(factors) != pairs)
        refuse(fmt::format("{} has {} numbers", name, factors.size()),
               fmt::format("Give {}, one for each rotated pair", pairs));
    for (const double factor : factors)
        require(factor > 0.0 && std::isfinite(factor), name, factor, "positive numbers");
}

void check(const RopeSettings& settings, std::int64_t dimensions)
{
    if (dimensions < 2 || dimensions % 2 != 0)
        refuse(fmt::format("{} channels of a head cannot be rotated in pairs", dimensions),
               fmt::format("Rotate {}", std::max<std::int64_t>(2, dimensions - dimensions % 2)));
    require(settings.theta > 1.0 && std::isfinite(settings.theta), "theta", settings.theta,
            "a number above 1, such as 10000");
    if (settings.scaling == Scaling::None)
        return;
    require(settings.factor >= 1.0 && std::isfinite(settings.factor), "factor", settings.factor,
            "1 or more");
    checkOriginalLength(settings);
    if (settings.scaling == Scaling::Yarn) {
        require(settings.betaSlow > 0.0, "betaSlow", settings.betaSlow, "a number above 0");
        require(settings.betaFast > settings.betaSlow, "betaFast", settings.betaFast,
                "a number above betaSlow");
        require(settings.attentionFactor >= 0.0, "attentionFactor", settings.attentionFactor,
                "0 (computed) or more");
    }
    if (settings.scaling == Scaling::LongRope) {
        checkFactors("short_factors", settings.shortFactors, dimensions / 2);
        checkFactors("long_factors", settings.longFactors, dimensions / 2);
    }
    if (settings.scaling == Scaling::Llama3) {
        require(settings.lowFrequencyFactor > 0.0, "lowFrequencyFactor",
                settings.lowFrequencyFactor, "a number above 0");
        require(settings.highFrequencyFactor > settings.lowFrequencyFactor, "highFrequencyFactor",
                settings.highFrequencyFactor, "a number above lowFrequencyFactor");
    }
}

std::vector<double> powersOf(double theta, std::int64_t dimensions)
{
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < dimensions; i += 2)
        frequencies.push_back(
            std::pow(theta, -static_cast<double>(i) / static_cast<double>(dimensions)));
    return frequencies;
}

/// Larger theta for longer texts, so that the slowest pair rotates as far as it did in training.
double dynamicTheta(const RopeSettings& settings, std::int64_t dimensions, std::int64_t tokens)
{
    const auto original = static_cast<double>(settings.originalMaxLen);
    const double length = std::max(original, static_cast<double>(tokens));
    const double stretch = settings.factor * length / original - (settings.factor - 1.0);
    const auto r = static_cast<double>(dimensions);
    return settings.theta * std::pow(stretch, r / (r - 2.0));
}

/// Index of the pair that makes `rotations` turns within the original length (Peng et al. 2023,
/// section 3.2).
double pairTurning(double rotations, const RopeSettings& settings, std::int64_t dimensions)
{
    const double wavelength =
        static_cast<double>(settings.originalMaxLen) / (rotations * 2.0 * std::numbers::pi);
    return static_cast<double>(dimensions) * std::log(wavelength) /
           (2.0 * std::log(settings.theta));
}

/// Keeps fast pairs, stretches slow ones and blends those between (YaRN).
void scaleYarn(const RopeSettings& settings, std::vector<double>& frequencies)
{
    const std::int64_t dimensions = 2 * std::ssize(frequencies);
    const double first = pairTurning(settings.betaFast, settings, dimensions);
    const double last = pairTurning(settings.betaSlow, settings, dimensions);
    const double low = std::max(0.0, settings.truncates ? std::floor(first) : first);
    const double high =
        std::min(static_cast<double>(dimensions - 1), settings.truncates ? std::ceil(last) : last);
    const double width = high == low ? 0.001 : high - low;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double ramp = std::clamp((static_cast<double>(i) - low) / width, 0.0, 1.0);
        frequencies[i] *= 1.0 - ramp + ramp / settings.factor;
    }
}

/// Scales by wavelength relative to the original length (Llama 3.1).
double scaledLlama3(const RopeSettings& settings, double frequency)
{
    const double turns =
        static_cast<double>(settings.originalMaxLen) * frequency / (2.0 * std::numbers::pi);
    const double kept = (turns - settings.lowFrequencyFactor) /
                        (settings.highFrequencyFactor - settings.lowFrequencyFactor);
    const double fraction = std::clamp(kept, 0.0, 1.0);
    return frequency * (fraction + (1.0 - fraction) / settings.factor);
}

} // namespace

double ropeAttentionFactor(const RopeSettings& settings)
{
    if (settings.scaling != Scaling::Yarn && settings.scaling != Scaling::LongRope)
        return 1.0;
    if (settings.attentionFactor > 0.0)
        return settings.attentionFactor;
    if (settings.scaling == Scaling::Yarn)
        return 0.1 * std::log(settings.factor) + 1.0;
    // Ding et al. 2024 (LongRoPE), as in Phi-3
    return std::sqrt(1.0 + std::log(settings.factor) /
                               std::log(static_cast<double>(settings.originalMaxLen)));
}

std::vector<double> ropeInverseFrequencies(const RopeSettings& settings, std::int64_t dimensions,
                                           std::int64_t tokens)
{
    check(settings, dimensions);
    if (settings.scaling == Scaling::Dynamic)
        return powersOf(dynamicTheta(settings, dimensions, tokens), dimensions);
    std::vector<double> frequencies = powersOf(settings.theta, dimensions);
    if (settings.scaling == Scaling::Yarn)
        scaleYarn(settings, frequencies);
    if (settings.scaling == Scaling::LongRope) {
        const bool isLong = tokens > settings.originalMaxLen;
        const std::vector<double>& factors = isLong ? settings.longFactors : settings.shortFactors;
        for (std::size_t i = 0; i < frequencies.size(); ++i)
            frequencies[i] /= factors[i];
    }
    for (double& frequency : frequencies) {
        if (settings.scaling == Scaling::Linear)
            frequency /= settings.factor;
        else if (settings.scaling == Scaling::Llama3)
            frequency = scaledLlama3(settings, frequency);
    }
    return frequencies;
}

} // namespace headscope
