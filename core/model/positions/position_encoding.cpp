#include "core/model/positions/position_encoding.h"

#include "core/base/error.h"
#include "core/model/pass/interventions.h"

#include <fmt/format.h>

namespace headscope {

void PositionEncoding::checkInstead(const ModelConfig& config, const PositionsChoice& choice) const
{
    if (parameter(config) && config.positions != choice.kind)
        throw ShapeError(fmt::format("{} positions are not available: the model has learned none",
                                     m_traits.name),
                         "interventions", "Choose none, sinusoidal, rope or alibi");
}

} // namespace headscope
