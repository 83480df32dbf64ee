#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

/// [layer][head] as a picture; `low` to `high` are its colours.
LabMatrix headMatrix(const std::vector<std::vector<double>>& values, double low, double high,
                     bool isSigned);

} // namespace headscope
