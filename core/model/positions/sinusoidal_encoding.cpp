#include "core/model/positions/sinusoidal_encoding.h"

#include "core/base/error.h"
#include "core/model/config/config_checks.h"
#include "core/model/config/mask_choice.h"
#include "core/ops/positions.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// The same numbers, first every sine and then every cosine of a position (Marian).
Tensor halves(const Tensor& pairs)
{
    Tensor result(pairs.shape());
    const std::int64_t half = pairs.shape()[1] / 2;
    for (std::int64_t row = 0; row < pairs.shape()[0]; ++row)
        for (std::int64_t i = 0; i < 2 * half; ++i)
            result.view()(row, i % 2 * half + i / 2) = pairs.view()(row, i);
    return result;
}

} // namespace

SinusoidalEncoding::SinusoidalEncoding()
    : PositionEncoding({.kind = Positions::Sinusoidal,
                        .name = "sinusoidal",
                        .words = "sines and cosines",
                        .base = "N",
                        .addsVectors = true})
{
}

void SinusoidalEncoding::check(const ModelConfig& config) const
{
    if (config.dModel % 2 != 0)
        refuseConfig(
            fmt::format("d_model is {} with sinusoidal positions", config.dModel),
            fmt::format("Use {}: sine and cosine come in pairs", nearestEven(config.dModel)));
}

void SinusoidalEncoding::checkInstead(const ModelConfig& config,
                                      const PositionsChoice& choice) const
{
    if (config.dModel % 2 != 0)
        throw ShapeError(
            fmt::format("{} positions with d_model {}", toString(choice), config.dModel),
            "interventions", "Choose none: sine and cosine come in pairs");
}

Tensor SinusoidalEncoding::vectors(const ModelConfig& config, std::int64_t count, double base) const
{
    const Tensor pairs = sinusoidalPositions(count, config.embeddingDim(), base);
    return config.sinusoidalHalves ? halves(pairs) : pairs;
}

} // namespace headscope
