#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// One lab each; labsOfHeads() puts them in order.

Lab whatHeadsDoLab();
Lab notAnExplanationLab();

/// [layer][head] as a picture; `low` to `high` are its colours.
LabMatrix headMatrix(const std::vector<std::vector<double>>& values, double low, double high,
                     bool isSigned);

} // namespace headscope
