#pragma once

#include "core/train/trainer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// One line of progress, of the log and of `headscope train --json`.
struct TrainingProgress
{
    StepReport report;
    std::optional<double> validationLoss; ///< Mean over the held-out targets, nats per token.
    /// Fraction of the held-out targets predicted as top-1.
    std::optional<double> validationAccuracy;
    std::vector<GradientNorm> layerNorms; ///< Norms of the step's gradient, where it is logged.
    bool isSmoothed = false;      ///< True with label smoothing: the loss gives no perplexity.
    double tokensPerSecond = 0.0; ///< Since the last line, without evaluation.
};

/// "mlm", "nsp" and "balance": keys of the terms of a loss that has several.
const std::vector<std::string>& lossPartNames();

/// These terms of a loss with their keys; empty where the loss is the tokens' alone.
std::vector<std::pair<std::string, double>> lossParts(const LossParts& parts);

/// Formats {"step","loss","val_loss","lr","grad_norm","tokens_per_s","perplexity","val_perplexity"}
/// on one line; then the parts of a loss that has several: "mlm" and "nsp" for pairs of sentences,
/// "balance" for experts. null where there is no such number. Where they are known: "val_accuracy"
/// and "layer_grad_norms", an object by layer.
std::string toJsonLine(const TrainingProgress& progress);

/// Mean loss over all held-out targets, or empty if the source has none.
std::optional<double> validationLoss(Trainer& trainer, const BatchSource& batches);

/// Validation loss with the fraction of targets predicted as top-1.
struct Validation
{
    double loss = 0.0;
    double accuracy = 0.0;
};

std::optional<Validation> validate(Trainer& trainer, const BatchSource& batches);

} // namespace headscope
