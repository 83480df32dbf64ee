#pragma once

#include "core/model/tracer.h"

#include <string>
#include <vector>

namespace headscope::app {

/// "builtin:stories" and its like, the default first.
std::vector<std::string> builtinModels();

/// Opens "builtin:NAME", a checkpoint, or the newest checkpoint of a training run's folder; "" is
/// the default model. Throws Error.
LoadedModel openModel(const std::string& source);

} // namespace headscope::app
