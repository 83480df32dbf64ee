#pragma once

#include "core/model/pass/tracer.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Adds --edit, which may be given several times.
void addEditOption(CLI::App& command, std::vector<std::string>& edits);

/// The model with the edits applied in order: each is an edit as text, or a JSON file with a list of
/// edits. Notes on standard error what is expanded. Throws Error.
LoadedModel withEdits(LoadedModel model, const std::vector<std::string>& edits);

} // namespace headscope::app
