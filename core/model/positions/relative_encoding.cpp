#include "core/model/positions/relative_encoding.h"

#include "core/model/config/config_checks.h"

#include <fmt/format.h>

namespace headscope {

namespace {

RelativeBuckets bucketsOf(const ModelConfig& config, const BiasedScores& scores)
{
    return {config.relativeBuckets, config.relativeMaxDistance, scores.bidirectional};
}

} // namespace

RelativeEncoding::RelativeEncoding()
    : PositionEncoding({.kind = Positions::RelativeBuckets,
                        .name = "relative",
                        .words = "relative positions",
                        .addsBias = true})
{
}

void RelativeEncoding::checkSettings(const ModelConfig& config) const
{
    checkRange("relative_buckets", config.relativeBuckets, 2, 4096);
    checkRange("relative_max_distance", config.relativeMaxDistance, 1, kMaxPositions);
}

void RelativeEncoding::check(const ModelConfig& config) const
{
    refuseLatent(config);
    const std::int64_t buckets = config.relativeBuckets;
    if (config.hasEncoder() && (buckets < 4 || buckets % 2 != 0))
        refuseConfig(fmt::format("relative_buckets is {} in an encoder", buckets),
                     fmt::format("Use {}: half of them are for later tokens",
                                 buckets < 4 ? "4" : nearestEven(buckets)));
    // In a decoder all buckets are for earlier keys, and half of them hold one distance each.
    const std::int64_t exact = (config.hasDecoder() ? buckets : buckets / 2) / 2;
    if (config.relativeMaxDistance <= exact)
        refuseConfig(
            fmt::format("relative_max_distance is {}, but {} buckets already hold {} distances",
                        config.relativeMaxDistance, buckets, exact),
            fmt::format("Use {} or more", exact + 1));
}

std::optional<PositionParameter> RelativeEncoding::parameter(const ModelConfig& config) const
{
    return PositionParameter{"rel_bias.weight", {config.relativeBuckets, config.heads}};
}

void RelativeEncoding::bias(const ModelConfig& config, const BiasedScores& scores, TensorView table,
                            MutableTensorView bias) const
{
    relativeBias(bucketsOf(config, scores), table, scores.firstPosition, bias, scores.memory);
}

void RelativeEncoding::biasBackward(const ModelConfig& config, const BiasedScores& scores,
                                    TensorView biasGradient, MutableTensorView tableGradient) const
{
    relativeBiasBackward(bucketsOf(config, scores), biasGradient, scores.firstPosition,
                         tableGradient, scores.memory);
}

} // namespace headscope
