#pragma once

#include "core/lessons/labs/lab.h"
#include "core/ops/cross_entropy.h"

namespace headscope {

/// Text as a training row: inputs and next-token targets (teacher forcing).
struct OverriddenRow
{
    std::vector<TokenId> inputs;
    std::vector<std::int32_t> targets; ///< Parallel to inputs; kIgnoreIndex: no loss.
    std::vector<std::string> labels;   ///< Labels of the inputs.
    std::vector<std::string> wanted;   ///< Labels of the targets.
};

/// Cross-entropy loss of each position; 0 for ignored ones.
std::vector<float> lossesOf(TensorView logits, const OverriddenRow& row, double smoothing);

/// Mean loss over the targets that count. Throws Error if there are none.
double meanLoss(const std::vector<float>& losses, const OverriddenRow& row);

/// Table of input, target, probability and loss.
LabTable lossTable(const OverriddenRow& row, const std::vector<float>& losses);

LabBars lossBars(const OverriddenRow& row, const std::vector<float>& losses);

} // namespace headscope
