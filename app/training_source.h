#pragma once

#include "core/train/files/training_config.h"

#include <string>

namespace headscope::app {

/// Reads a training configuration from a file, or a built-in one by "builtin:NAME". Throws Error.
TrainingConfig openTrainingConfig(const std::string& source);

} // namespace headscope::app
