#pragma once

#include "core/model/config/model_config.h"
#include "core/train/files/training_settings.h"

#include <string>
#include <vector>

namespace headscope::test {

/// A model and how it is trained: what one row of the table is about.
struct GradientCase
{
    std::string name;
    ModelConfig config;
    LossSettings loss = {};
    bool customMask = false;
    double initStd = 0.25; ///< large, so that attention is far from uniform
};

/// Every mechanism of a model that has parameters or passes gradients on, and of its loss.
std::vector<GradientCase> gradientCases();

} // namespace headscope::test
