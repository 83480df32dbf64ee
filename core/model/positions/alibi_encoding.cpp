#include "core/model/positions/alibi_encoding.h"

#include "core/base/error.h"
#include "core/model/config/config_checks.h"

#include <algorithm>

namespace headscope {

AlibiEncoding::AlibiEncoding()
    : PositionEncoding({.kind = Positions::Alibi, .name = "alibi", .words = "ALiBi"})
{
}

void AlibiEncoding::check(const ModelConfig& config) const
{
    refuseLatent(config);
    if (config.hasEncoder())
        refuseConfig("positions are \"alibi\" in an encoder, whose tokens attend to later ones too",
                     "Set positions to \"relative\", or architecture to \"gpt\"");
}

void AlibiEncoding::checkInstead(const ModelConfig& config, const PositionsChoice&) const
{
    if (config.hasEncoder() || config.isLatent())
        throw ShapeError("alibi positions are not available in a model with an encoder or latent "
                         "attention",
                         "interventions", "Choose none or sinusoidal");
}

Tensor AlibiEncoding::slopes(const ModelConfig& config) const
{
    const std::vector<float> slopes = alibiSlopes(config.heads);
    const double factor = config.alibiScaled ? config.scoreScale() : 1.0;
    Tensor tensor({config.heads});
    std::transform(slopes.begin(), slopes.end(), tensor.data(),
                   [factor](float slope) { return static_cast<float>(factor * double{slope}); });
    return tensor;
}

} // namespace headscope
