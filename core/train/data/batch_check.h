#pragma once

#include "core/model/config/model_config.h"
#include "core/train/data/batch.h"

namespace headscope {

/// Throws ShapeError, naming `caller` and what does not fit, for a batch that a model of that
/// configuration cannot train on.
void checkBatch(const ModelConfig& config, const Batch& batch, const char* caller);

} // namespace headscope
