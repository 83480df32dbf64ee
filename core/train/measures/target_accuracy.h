#pragma once

#include "core/model/model.h"
#include "core/train/data/batch.h"

namespace headscope {

/// How well a model foretells the held-out targets of a source of batches, row by row and without
/// padding.
struct TargetAccuracy
{
    std::int64_t targets = 0; ///< that count
    double loss = 0.0;        ///< mean of -ln P, nats
    double tokens = 0.0;      ///< share of targets that have the highest score
    double rows = 0.0;        ///< share of rows where all have: what greedy decoding gets right
};

/// Throws ShapeError for a batch that does not fit the model. Without held-out targets all is 0.
TargetAccuracy measureTargets(const Model& model, const BatchSource& batches,
                              AttentionBackend& backend);

} // namespace headscope
