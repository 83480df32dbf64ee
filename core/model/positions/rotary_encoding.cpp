#include "core/model/positions/rotary_encoding.h"

#include "core/model/config/config_checks.h"
#include "core/model/config/mask_choice.h"

#include <algorithm>

namespace headscope {

RotaryEncoding::RotaryEncoding()
    : PositionEncoding({.kind = Positions::Rope,
                        .name = "rope",
                        .words = "rotary positions",
                        .base = "THETA",
                        .turns = true})
{
}

void RotaryEncoding::checkSettings(const ModelConfig& config) const
{
    const RopeSettings& rope = config.rope;
    checkRange("rope.theta", rope.theta, 1.001, 1e12);
    checkRange("rope.dimensions", rope.dimensions, 0, kMaxWidth);
    checkRange("rope.scaling.factor", rope.factor, 1.0, 1e6);
    checkRange("rope.scaling.original_max_len", rope.originalMaxLen, 0, kMaxPositions);
    checkRange("rope.scaling.low_frequency_factor", rope.lowFrequencyFactor, 1e-6, 1e6);
    checkRange("rope.scaling.high_frequency_factor", rope.highFrequencyFactor, 1e-6, 1e6);
    checkRange("rope.scaling.beta_fast", rope.betaFast, 1e-6, 1e6);
    checkRange("rope.scaling.beta_slow", rope.betaSlow, 1e-6, 1e6);
    checkRange("rope.scaling.attention_factor", rope.attentionFactor, 0.0, 1e6);
    for (const std::vector<double>* factors : {&rope.shortFactors, &rope.longFactors})
        for (const double factor : *factors)
            checkRange("a factor of rope.scaling", factor, 1e-6, 1e6);
    if (rope.lowFrequencyFactor >= rope.highFrequencyFactor)
        refuseConfig(
            fmt::format("rope.scaling.low_frequency_factor is {} and high_frequency_factor is {}",
                        rope.lowFrequencyFactor, rope.highFrequencyFactor),
            "Give low_frequency_factor the smaller number, such as 1 and 4");
    if (rope.betaSlow >= rope.betaFast)
        refuseConfig(fmt::format("rope.scaling.beta_slow is {} and beta_fast is {}", rope.betaSlow,
                                 rope.betaFast),
                     "Give beta_slow the smaller number, such as 1 and 32");
}

void RotaryEncoding::check(const ModelConfig& config) const
{
    const RopeSettings& rope = config.rope;
    if (config.isLatent() && config.latent.ropeDim == 0)
        refuseConfig("positions are \"rope\" and mla.rope_dim is 0",
                     fmt::format("Set mla.rope_dim to {}, or positions to \"none\"",
                                 std::max<std::int64_t>(2, config.latent.nopeDim / 4 * 2)));
    if (config.isLatent() && rope.dimensions != 0 && rope.dimensions != config.latent.ropeDim)
        refuseConfig(fmt::format("rope.dimensions is {} and mla.rope_dim is {}", rope.dimensions,
                                 config.latent.ropeDim),
                     "Leave rope.dimensions out");
    if (!config.isLatent() && rope.dimensions > config.headDim())
        refuseConfig(fmt::format("rope.dimensions is {}, but a head has {} channels",
                                 rope.dimensions, config.headDim()),
                     fmt::format("Use {} or less", config.headDim() / 2 * 2));
    const std::int64_t turning = config.ropeDimensions();
    if (turning % 2 != 0 && rope.dimensions == 0)
        refuseConfig(
            fmt::format("a head has {} channels, which cannot be rotated in pairs", turning),
            turning > 1 ? fmt::format("Set rope.dimensions to {}, or use heads of {} channels",
                                      turning - 1, nearestEven(turning))
                        : "Use heads of at least 2 channels");
    if (turning % 2 != 0)
        refuseConfig(fmt::format("rope.dimensions is {}", turning),
                     fmt::format("Use {}: channels are rotated in pairs",
                                 turning + 1 > config.headDim() ? fmt::format("{}", turning - 1)
                                                                : nearestEven(turning)));
}

void RotaryEncoding::checkInstead(const ModelConfig& config, const PositionsChoice& choice) const
{
    const std::int64_t turning = config.isLatent() ? config.latent.ropeDim : config.queryDim();
    if (turning == 0 || turning % 2 != 0)
        throw ShapeError(fmt::format("{} positions need pairs, but {} channels of a head can be "
                                     "rotated",
                                     toString(choice), turning),
                         "interventions",
                         "Choose none or sinusoidal: channels are rotated in pairs");
}

} // namespace headscope
