#pragma once

#include "core/model/model.h"
#include "core/train/data/batch.h"

namespace headscope {

/// Accuracy of a model on the held-out targets of a batch source, row by row and without padding.
struct TargetAccuracy
{
    std::int64_t targets = 0; ///< Number of targets that count.
    double loss = 0.0;        ///< Mean of -ln P, nats.
    double tokens = 0.0;      ///< Fraction of targets predicted as top-1.
    /// Fraction of rows in which all targets are top-1: what greedy decoding gets right.
    double rows = 0.0;
    std::int64_t pairs = 0;  ///< Number of pairs of texts with a next-sentence label.
    double pairsRight = 0.0; ///< Fraction of pairs whose label has the larger logit.
};

/// Throws ShapeError for a batch that does not fit the model. Without held-out targets all values
/// are 0.
TargetAccuracy measureTargets(const Model& model, const BatchSource& batches,
                              AttentionBackend& backend);

} // namespace headscope
