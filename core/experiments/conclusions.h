#pragma once

#include "core/experiments/experiment_catalogue.h"
#include "core/experiments/experiment_result.h"

#include <string>

namespace headscope {

/// One sentence with the symptom, the cause, the fix and the measured numbers. Throws Error if a
/// number that it needs was not measured.
std::string conclusionOf(const Experiment& experiment, const ExperimentResult& result);

} // namespace headscope
