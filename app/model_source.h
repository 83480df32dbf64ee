#pragma once

#include "core/base/progress.h"
#include "core/io/open_model.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Names such as "builtin:stories", the default first.
std::vector<std::string> builtinModels();

/// Opens "builtin:NAME", a checkpoint, the newest checkpoint in the folder of a training run, a
/// GGUF file, a folder in the layout of Hugging Face, the newest of a series of checkpoints, or the
/// name of a recipe (core/io/installed_models.h) that is installed; "" is the default model. Throws
/// Error.
LoadedModel openModel(const std::string& source);

/// Opens a model with its audit and with progress; throws Cancelled if that is stopped.
OpenedModel openAudited(const std::string& source, Progress& progress);

} // namespace headscope::app
