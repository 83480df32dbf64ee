#pragma once

#include "core/model/edits/weight_edit.h"
#include "core/model/pass/tracer.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Adds --edit, which may be given several times.
CLI::Option* addEditOption(CLI::App& command, std::vector<std::string>& edits);

/// Adds --lora, whose adapters follow the edits of --edit in `edits`.
CLI::Option* addLoraOption(CLI::App& command, std::vector<std::string>& edits);

/// The edits in order: each is an edit as text, or a JSON file with a list of edits. Throws Error.
std::vector<WeightEdit> parseEdits(const std::vector<std::string>& edits);

/// The model with the edits of parseEdits() applied in order. Notes on standard error what is expanded. Throws Error.
LoadedModel withEdits(LoadedModel model, const std::vector<std::string>& edits);

} // namespace headscope::app
