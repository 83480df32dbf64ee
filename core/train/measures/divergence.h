#pragma once

#include "core/model/model.h"
#include "core/train/data/batch.h"

#include <string>

namespace headscope {

/// The name of the first activation of a batch that is not finite, in execution order and with its
/// row: "blocks.3.attn.hook_z of row 5"; else of the first parameter, in the order of the backward
/// pass, whose gradient is not: "the gradient of h.3.fc1.weight". Empty when all are finite.
std::string firstNonFinite(const Model& model, AttentionBackend& backend, const Batch& batch,
                           const ParameterSet& gradients);

} // namespace headscope
