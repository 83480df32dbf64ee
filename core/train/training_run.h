#pragma once

#include "core/train/run_directory.h"

#include <functional>
#include <stop_token>

namespace headscope {

/// What a training run needs besides its data and its directory.
struct TrainingRunSettings
{
    ModelConfig model;
    Trainer::Settings trainer;
    std::int64_t steps = 0;                      ///< updates in all, those before a resume included
    std::int64_t logEvery = 10;                  ///< steps between two lines of progress
    std::int64_t evalEvery = 0;                  ///< 0: after the last step alone
    std::int64_t checkpointEvery = 0;            ///< 0: after the last step alone
    std::optional<ParameterSet> initial;         ///< instead of Model::initialised(model, seed)
    std::map<std::string, std::string> metadata; ///< into every checkpoint: task, command
};

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

struct TrainingResult
{
    std::int64_t step = 0;
    std::optional<double> validationLoss;
    std::filesystem::path checkpoint; ///< of the last step
    bool stopped = false;             ///< by the stop token, before `steps`
};

/// Mean loss over all held-out targets, or nothing when the source has none.
std::optional<double> validationLoss(Trainer& trainer, const BatchSource& batches);

/// The same, with the share of the targets that have the highest score.
struct Validation
{
    double loss = 0.0;
    double accuracy = 0.0;
};

std::optional<Validation> validate(Trainer& trainer, const BatchSource& batches);

/// Trains until `steps`, from the newest saved step of `directory` or from the start. When `stop`
/// is requested it saves the step it is at and returns, so that a later call goes on bit for bit.
/// When a step fails, as for a loss that is not finite, it saves the step before, if that is finite
/// throughout, and throws the error on.
/// `progress` may be empty; it is called on this thread.
TrainingResult runTraining(const TrainingRunSettings& settings, const BatchSource& batches,
                           const RunDirectory& directory,
                           const std::function<void(const TrainingProgress&)>& progress = {},
                           std::stop_token stop = {});

} // namespace headscope
