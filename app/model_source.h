#pragma once

#include "core/base/progress.h"
#include "core/io/open_model.h"

#include <string>
#include <vector>

namespace headscope::app {

/// "builtin:stories" and its like, the default first.
std::vector<std::string> builtinModels();

/// Opens "builtin:NAME", a checkpoint, the newest checkpoint of a training run's folder, a GGUF
/// file, a folder in the layout of Hugging Face, or the name of a recipe
/// (core/io/installed_models.h) that is installed; "" is the default model. Throws Error.
LoadedModel openModel(const std::string& source);

/// The same with what was found, with progress, and Cancelled when that is told to stop.
OpenedModel openAudited(const std::string& source, Progress& progress);

} // namespace headscope::app
