#pragma once

#include "core/experiments/experiment_result.h"

#include <string>

namespace headscope {

/// A loss with two digits: "1.23".
std::string loss(const VariantResult& variant, const char* name = "validation_loss");

/// Conclusion where the broken variant is not worse in the number that the experiment is about.
std::string notShown(const char* what, const std::string& broken, const std::string& fixed);

} // namespace headscope
