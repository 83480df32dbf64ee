#pragma once

#include "core/experiments/experiment_catalogue.h"
#include "core/experiments/experiment_result.h"

#include <string>

namespace headscope {

// Conclusions about parts of the model, see conclusionOf().

std::string aboutResiduals(const Experiment& experiment, const ExperimentResult& result);
std::string aboutBatchNorm(const Experiment& experiment, const ExperimentResult& result);
std::string aboutHeadCount(const Experiment& experiment, const ExperimentResult& result);
std::string aboutSharedHeads(const Experiment& experiment, const ExperimentResult& result);

} // namespace headscope
