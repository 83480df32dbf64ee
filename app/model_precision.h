#pragma once

#include "core/model/pass/tracer.h"

#include <CLI/CLI.hpp>

#include <string>

namespace headscope::app {

/// Adds --precision: "f32" (the default), "f16" or "bf16".
CLI::Option* addPrecisionOption(CLI::App& command, std::string& precision);

/// The model with its float weights rounded to `precision`, a name that --precision takes.
LoadedModel withPrecision(LoadedModel model, const std::string& precision);

} // namespace headscope::app
