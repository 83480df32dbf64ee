#pragma once

#include "core/experiments/experiment_catalogue.h"

namespace headscope {

/// Reads resources/experiments/NAME.json. The configuration of a variant is that of its base,
/// resources/experiments/bases/BASE.json, with the changes of the experiment, then those of the
/// variant merged in; with "seeds" every variant is there once for each of them. Throws a one-sentence FormatError with the file and the key, for a key that
/// is unknown, missing or of the wrong type.
Experiment parseExperiment(std::string_view name, std::string_view text);

} // namespace headscope
