#pragma once

#include "core/model/pass/interventions.h"

namespace headscope {

/// Throws ShapeError, with the nearest valid choice, for what that model cannot do with a text of
/// so many tokens: layers, heads and sites that it does not have, values of other shapes, weights
/// that are not finite. `sourceTokens` are those of an encoder-decoder's source.
void checkInterventions(const ModelConfig& config, std::int64_t tokens,
                        const Interventions& interventions, std::int64_t sourceTokens = 0);

} // namespace headscope
