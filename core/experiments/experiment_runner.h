#pragma once

#include "core/experiments/experiment_catalogue.h"
#include "core/train/training_progress.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

namespace headscope {

struct ExperimentProgress
{
    std::size_t variant = 0; ///< Index of the current variant in Experiment::variants.
    std::string what;        ///< Current activity in one sentence; empty while training.
    const TrainingProgress* line = nullptr; ///< While training: the new line of its log.
    double done = 0.0;                      ///< Fraction of all steps of all variants, 0 to 1.
};

struct ExperimentSettings
{
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
    std::function<void(const ExperimentProgress&)> progress = {}; ///< Called on the calling thread.
};

/// Trains every variant in FOLDER/VARIANT (a run directory, so that charts can follow it),
/// alternately, so that the curves grow side by side, measures, writes FOLDER/result.json. A
/// variant whose loss stops being finite is a result, not an error. Besides the measures of the
/// experiment every variant has training_loss (mean of the last lines of its log), validation_loss,
/// accuracy and, for models of one stack, end_first_block (the gradient norm of that block in the
/// last line). Called again on the same folder it resumes, bit for bit. Throws Cancelled when
/// stopped, after saving; Error for a folder with other contents.
ExperimentResult runExperiment(const Experiment& experiment, const std::filesystem::path& folder,
                               const ExperimentSettings& settings, std::stop_token stop = {});

/// Folder of a variant's training run.
std::filesystem::path variantFolder(const std::filesystem::path& folder,
                                    const ExperimentVariant& variant);

} // namespace headscope
