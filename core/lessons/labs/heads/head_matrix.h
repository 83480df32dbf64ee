#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

/// Figure of values [layer][head]; the colour scale spans `low` to `high`.
LabMatrix headMatrix(const std::vector<std::vector<double>>& values, double low, double high,
                     bool isSigned);

} // namespace headscope
