#pragma once

#include "core/train/trainer.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// One line of progress, of the log and of `headscope train --json`.
struct TrainingProgress
{
    StepReport report;
    std::optional<double> validationLoss;     ///< mean over the held-out targets, nats a token
    std::optional<double> validationAccuracy; ///< share of them that have the highest score
    std::vector<GradientNorm> layerNorms;     ///< of the step's gradient, where it is logged
    bool isSmoothed = false;                  ///< by label smoothing: the loss gives no perplexity
    double tokensPerSecond = 0.0;             ///< since the last line, evaluation left out
};

/// {"step","loss","val_loss","lr","grad_norm","tokens_per_s","perplexity","val_perplexity"}, on one
/// line; then the parts of a loss that has several: "mlm" and "nsp" for pairs of sentences,
/// "balance" for experts. null where there is no such number. Where they are known: "val_accuracy"
/// and "layer_grad_norms", an object by layer.
std::string toJsonLine(const TrainingProgress& progress);

/// Mean loss over all held-out targets, or nothing when the source has none.
std::optional<double> validationLoss(Trainer& trainer, const BatchSource& batches);

/// The same, with the share of the targets that have the highest score.
struct Validation
{
    double loss = 0.0;
    double accuracy = 0.0;
};

std::optional<Validation> validate(Trainer& trainer, const BatchSource& batches);

} // namespace headscope
