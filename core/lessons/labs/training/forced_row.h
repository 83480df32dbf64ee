#pragma once

#include "core/lessons/labs/lab.h"
#include "core/ops/cross_entropy.h"

namespace headscope {

/// A text as a training row: what is read, and what should come next (teacher forcing).
struct ForcedRow
{
    std::vector<TokenId> inputs;
    std::vector<std::int32_t> targets; ///< as inputs; kIgnoreIndex: no loss
    std::vector<std::string> labels;   ///< of the inputs
    std::vector<std::string> wanted;   ///< of the targets
};

/// One loss for each position, by core's cross-entropy; those that do not count have 0.
std::vector<float> lossesOf(TensorView logits, const ForcedRow& row, double smoothing);

/// Over the targets that count. Throws Error when there are none.
double meanLoss(const std::vector<float>& losses, const ForcedRow& row);

/// What is read, what should be said, its probability and loss.
LabTable lossTable(const ForcedRow& row, const std::vector<float>& losses);

LabBars lossBars(const ForcedRow& row, const std::vector<float>& losses);

} // namespace headscope
