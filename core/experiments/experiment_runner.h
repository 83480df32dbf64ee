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
    std::size_t variant = 0;                ///< which one goes on, of Experiment::variants
    std::string what;                       ///< one sentence; of training: empty
    const TrainingProgress* line = nullptr; ///< of training: what its log has got
    double done = 0.0;                      ///< of all steps of all variants, 0 to 1
};

struct ExperimentSettings
{
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
    std::function<void(const ExperimentProgress&)> progress = {}; ///< on the calling thread
};

/// Trains every variant in FOLDER/VARIANT (a run directory, so that charts can follow it), taking
/// turns so that the curves grow side by side, measures, writes FOLDER/result.json. A variant whose
/// loss stops being finite is a result, not an error. Besides the measures of the experiment every
/// variant has training_loss (mean of the last lines of its log), validation_loss, accuracy and,
/// for models of one stack, end_first_block (the norm of that block's gradient in the last line).
/// Called again on the same folder it goes on where it was, bit for bit. Throws Cancelled when
/// stopped, after saving; Error for a folder of something else.
ExperimentResult runExperiment(const Experiment& experiment, const std::filesystem::path& folder,
                               const ExperimentSettings& settings, std::stop_token stop = {});

/// Where the run of a variant is.
std::filesystem::path variantFolder(const std::filesystem::path& folder,
                                    const ExperimentVariant& variant);

} // namespace headscope
