#pragma once

#include "core/model/config/model_config.h"

#include <span>
#include <string>

namespace headscope {

/// A published model as a configuration from which all its sizes are computed.
struct KnownModel
{
    std::string name;   ///< "Llama 3 8B".
    std::string source; ///< Authors and year of the paper.
    ModelConfig config;
    /// False where blocks differ in a way that the configuration cannot express, so that parameters
    /// are not counted; attention and cache are.
    bool isCounted = true;
};

/// In order of publication.
std::span<const KnownModel> knownModels();

/// Throws Error with the nearest name.
const KnownModel& knownModel(const std::string& name);

} // namespace headscope
