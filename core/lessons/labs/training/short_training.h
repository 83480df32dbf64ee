#pragma once

#include "core/experiments/experiment_measures.h"
#include "core/lessons/labs/lab.h"

namespace headscope {

/// A short training inside a lab: one of several that differ in one thing and share data and seed.
struct ShortTraining
{
    std::string label; ///< of its curve
    TrainingConfig config;
    LabChart::Series losses;            ///< of the training batches, by step
    std::shared_ptr<const Model> model; ///< null before it was trained
    double seconds = 0.0;
};

/// The variants of an experiment by name, for `steps` steps on less text than the experiment takes.
std::vector<ShortTraining> shortTrainings(std::string_view experiment,
                                          const std::vector<std::string>& variants,
                                          std::int64_t steps);

/// Trains them one after the other. Reports progress from 0 to 1. Throws Cancelled.
PreparedData trainShortly(std::vector<ShortTraining>& trainings, const LabContext& context,
                          const std::stop_token& stop);

/// What an experiment's measure says about one that was trained.
VariantResult measureShortly(Measure measure, const ShortTraining& training,
                             const PreparedData& data, const LabContext& context);

/// The curves of all, on one chart.
LabPanel lossCurves(const std::vector<ShortTraining>& trainings);

} // namespace headscope
