#pragma once

#include "core/model/pass/interventions.h"

namespace headscope {

/// Throws ShapeError, with the nearest valid choice, for interventions that the model does not
/// support for a text of this length: unknown layers, heads and sites, values of different shapes,
/// weights that are not finite. `sourceTokens` are those of an encoder-decoder's source.
void checkInterventions(const ModelConfig& config, std::int64_t tokens,
                        const Interventions& interventions, std::int64_t sourceTokens = 0);

} // namespace headscope
