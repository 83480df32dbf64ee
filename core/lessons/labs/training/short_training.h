#pragma once

#include "core/experiments/experiment_measures.h"
#include "core/lessons/labs/lab.h"

namespace headscope {

/// Short training run inside a lab: one of several that differ in one setting and share data and
/// seed.
struct ShortTraining
{
    std::string label; ///< Label of its curve.
    TrainingConfig config;
    LabChart::Series losses;            ///< Loss of the training batches, by step.
    LabChart::Series balances;          ///< Balancing loss by step; empty without experts.
    std::shared_ptr<const Model> model; ///< Null before training.
    double seconds = 0.0;
    /// Called with the model before training and after every `watchEvery` steps; may be empty.
    std::function<void(std::int64_t step, const std::shared_ptr<const Model>&,
                       const PreparedData& data)>
        watch = {};
    std::int64_t watchEvery = 1;
};

/// Variants of an experiment by name, for `steps` steps on less text than the full experiment.
std::vector<ShortTraining> shortTrainings(std::string_view experiment,
                                          const std::vector<std::string>& variants,
                                          std::int64_t steps);

/// Training of resources/training/NAME.json for `steps` steps.
ShortTraining configuredTraining(std::string_view name, const std::string& label,
                                 std::int64_t steps);

/// Trains the variants one after another. Reports progress from 0 to 1. Throws Cancelled.
PreparedData trainShortly(std::vector<ShortTraining>& trainings, const LabContext& context,
                          const std::stop_token& stop);

/// Result of an experiment's measure for a trained variant.
VariantResult measureShortly(Measure measure, const ShortTraining& training,
                             const PreparedData& data, const LabContext& context);

/// Chart with the loss curves of all variants.
LabPanel lossCurves(const std::vector<ShortTraining>& trainings);

} // namespace headscope
