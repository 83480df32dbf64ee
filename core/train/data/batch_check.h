#pragma once

#include "core/model/config/model_config.h"
#include "core/train/data/batch.h"

namespace headscope {

/// Throws a ShapeError that names `caller` and the mismatch, for a batch that a model of that
/// configuration cannot train on.
void checkBatch(const ModelConfig& config, const Batch& batch, const char* caller);

} // namespace headscope
